/* a header */
int inner(int x)
{
	return x + absent;
}
