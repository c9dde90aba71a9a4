// error: E0401
// error: E0401
kernel void k(global int *p)
{
	/* 漢字 😀 */	*p = here;
    *p /* ‮  */ = there;
}
