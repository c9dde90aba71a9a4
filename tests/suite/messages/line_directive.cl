// error: E0401 100
kernel void k(global int *p)
{
#line 100 "generated.template"
    *p = nothing;
}
