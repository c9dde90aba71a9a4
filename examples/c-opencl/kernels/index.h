#define INDEX ((uint)get_global_id(0))
