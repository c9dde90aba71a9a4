// What cooperative matrices are made of, where they may be, and what is done with them
// (cl_khr_cooperative_matrix).
// RUN[on]: -cl-std=CL3.0 -cl-ext=+cl_khr_cooperative_matrix -fsyntax-only -Wno-unused
// RUN[old]: -cl-std=CL1.2 -cl-ext=+cl_khr_cooperative_matrix -fsyntax-only -DOLD
// RUN[off]: -cl-std=CL3.0 -fsyntax-only -DOFF
#ifdef OFF
typedef float __attribute__((coop_mat(memory_scope_sub_group, 16, 16, 0))) T; //~[off] E0302 needs the extension `cl_khr_cooperative_matrix`
kernel void k(global float *p)
{
    coop_mat_init(1.0f); //~[off] E0502 needs `cl_khr_cooperative_matrix`
}
#ifdef CLK_COOPERATIVE_MATRIX_A
#error "the constants come with the extension"
#endif
#elif defined OLD
// The extension asks for no later version; the scope has a name that is no enumerator.
typedef float __attribute__((coop_mat(CLK_COOPERATIVE_MATRIX_SCOPE_SUBGROUP, 8, 8, CLK_COOPERATIVE_MATRIX_A))) T;
kernel void k(global float *p)
{
    T m = coop_mat_load(p, CLK_COOPERATIVE_MATRIX_LAYOUT_ROW_MAJOR, 8);
    coop_mat_store(p, m, CLK_COOPERATIVE_MATRIX_LAYOUT_ROW_MAJOR, 8);
}
#else
#ifndef cl_khr_cooperative_matrix
#error "the macro of the extension is missing"
#endif
#define ROWS CLK_COOPERATIVE_MATRIX_LAYOUT_ROW_MAJOR
#define MATRIX(R, C, U) __attribute__((coop_mat(memory_scope_sub_group, R, C, CLK_COOPERATIVE_MATRIX_##U)))
typedef float MATRIX(16, 8, A) A;
typedef float MATRIX(8, 16, B) B;
typedef float MATRIX(16, 16, ACCUMULATOR) C;
typedef int MATRIX(16, 16, ACCUMULATOR) I;
typedef char MATRIX(16, 8, A) A8;
typedef uchar MATRIX(8, 16, B) B8;
typedef short MATRIX(16, 8, A) A16;

// The type.
typedef double MATRIX(4, 4, A) D;
float behind MATRIX(16, 8, A); //~[on] E0309 at program scope
typedef float4 MATRIX(4, 4, A) V; //~[on] E0308 no cooperative matrices of `float4`
typedef bool MATRIX(4, 4, A) T0; //~[on] E0308 no cooperative matrices of `bool`
typedef half MATRIX(4, 4, A) T1; //~[on] E0302 `half`
typedef float MATRIX(0, 4, A) T2; //~[on] E0308 the number of rows cannot be 0
typedef float MATRIX(4, -1, A) T3; //~[on] E0308 the number of columns cannot be -1
typedef float __attribute__((coop_mat(memory_scope_device, 4, 4, CLK_COOPERATIVE_MATRIX_A))) T4; //~[on] E0308 the scope of a matrix cannot be 2
typedef float __attribute__((coop_mat(memory_scope_sub_group, 4, 4, 3))) T5; //~[on] E0308 the use of a matrix cannot be 3
typedef float __attribute__((coop_mat(memory_scope_sub_group, 4, 4))) T6; //~[on] E0308 takes four arguments
typedef float __attribute__((coop_mat(memory_scope_sub_group, int, 4, 0))) T7; //~[on] E0308 not a type

// Objects.
struct s { A m; }; //~[on] E0210
kernel void argument(A m) {} //~[on] E0213
void pointer(A *p); //~[on] E0309 a pointer
void array(A p[4]); //~[on] E0309 an array
constant A constant_matrix; //~[on] E0309 at program scope
C sum(C a, C b) { return a + b; }

kernel void objects(global float *p)
{
    local A tile; //~[on] E0309 cannot be in `local` memory
    static A once; //~[on] E0309 at program scope
    A m = coop_mat_load(p, ROWS, 8), all[2][2];
    all[1][0] = m;
    all[0][1][0] = 1.0f;
    p[0] = all[1][0][0] + m[coop_mat_length(m) - 1];
    m[0]++;
    float MATRIX(16, 8, A) other = m;
    p[1] = sum(coop_mat_init(1), (C)coop_mat_init(2.0f))[0];
    p[2] = sizeof(A); //~[on] E0309 `sizeof` is not defined
    p[2] = sizeof all; //~[on] E0309 `sizeof` is not defined
    &m; //~[on] E0309 `&` is not defined
    &m[0]; //~[on] E0424 have no address
    p[2] = *(float *)all; //~[on] E0309 a pointer to the first element
    p[2] = m[1.0f]; //~[on] E0427
    if (m) p[2] = 1; //~[on] E0420
    printf("%f", m); //~[on] E0309 an argument of any type
}

kernel void operators(global float *p, global int *i, int n)
{
    A a = coop_mat_load(p, ROWS, 8);
    B b = coop_mat_load(p, CLK_COOPERATIVE_MATRIX_LAYOUT_COLUMN_MAJOR, n);
    C c = coop_mat_init(0.0f);
    I j = coop_mat_load(i, ROWS, 16), k;
    c = coop_mat_mulAdd(a, b, c);
    c = coop_mat_mulAdd(a, b, c, CLK_COOPERATIVE_MATRIX_OPERAND_NONE);
    c = -c + c * 2 - 3.0f * c / c;
    c += c;
    c *= p[0];
    j /= (I)c;
    c = n > 1 ? c : sum(c, c);
    a = b; //~[on] E0341
    c = j; //~[on] E0341
    c = a + b; //~[on] E0422
    c = c % c; //~[on] E0422
    c = c / 2.0f; //~[on] E0422
    c = c + 1.0f; //~[on] E0422
    c += 1.0f; //~[on] E0422
    c = ~c; //~[on] E0422
    n = c == c; //~[on] E0422
    c++; //~[on] E0422
    a = (A)b; //~[on] E0343
    p[0] = (float)c; //~[on] E0343
}

kernel void calls(global float *p, global int *i, global const float *r, constant float *f, int n)
{
    A a = coop_mat_load(r, ROWS, 8);
    B b = coop_mat_load(p, ROWS, 16);
    C c = coop_mat_init(0.0f);
    I j = coop_mat_init(0);
    A8 a8 = coop_mat_init(1);
    B8 b8 = coop_mat_init(1u);
    A16 a16 = coop_mat_init(1);
    j = coop_mat_mulAdd(a8, b8, j, CLK_COOPERATIVE_MATRIX_OPERAND_SATURATING_ACCUMULATION);
    c = coop_mat_mulAdd(b, b, c); //~[on] E0512 CLK_COOPERATIVE_MATRIX_A
    c = coop_mat_mulAdd(a, a, c); //~[on] E0512 CLK_COOPERATIVE_MATRIX_B
    c = coop_mat_mulAdd(a, b, a); //~[on] E0512 CLK_COOPERATIVE_MATRIX_ACCUMULATOR
    j = coop_mat_mulAdd(a, b, j); //~[on] E0512 no product
    j = coop_mat_mulAdd(a16, b8, j); //~[on] E0512 no product
    c = coop_mat_mulAdd(a, b, c, 1); //~[on] E0512 cannot be 1
    c = coop_mat_mulAdd(a, b, c, 0x10); //~[on] E0512 cannot be 16
    c = coop_mat_mulAdd(a, b, 1.0f); //~[on] E0501
    a = coop_mat_load(p, 2, 8); //~[on] E0512 cannot be 2
    a = coop_mat_load(p, n, 8); //~[on] E0512 must be a constant
    a = coop_mat_load(i, ROWS, 8); //~[on] E0512 needs a pointer to `float`
    a = coop_mat_load(f, ROWS, 8); //~[on] E0501
    coop_mat_store(i, a, ROWS, 8); //~[on] E0512 needs a pointer to `float`
    coop_mat_store(r, a, ROWS, 8); //~[on] W0340
    n = coop_mat_length(n); //~[on] E0501
    n = coop_mat_init(1); //~[on] E0341
    coop_mat_init(1.0f); //~[on] E0513
    c = c + coop_mat_init(1.0f); //~[on] E0513
    typeof(coop_mat_init(1)) unknown; //~[on] E0513
    void (^block)(void) = ^{ c[0]; }; //~[on] E0309 use by a block
}
#endif
