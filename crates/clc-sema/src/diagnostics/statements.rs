//! Codes of the statements family.

super::codes! {
    E0450 = error "stray-break" "`break` leaves a loop or a `switch`, and there is none around it (C99 6.8.6.3).";
    E0451 = error "stray-continue" "`continue` starts the next turn of a loop, and there is none around it (C99 6.8.6.2).";
    E0452 = error "stray-case" "`case` and `default` label statements inside a `switch`, and there is none around them (C99 6.8.1).";
    E0453 = error "duplicate-case" "Two `case` labels of one `switch` stand for the same value, or there are two `default` labels (C99 6.8.4.2).\n\n```c\nswitch (x) { case 1: f(); break; case 0x1: g(); } // wrong\n```";
    E0454 = error "undefined-label" "`goto` names a label that its function does not have (C99 6.8.6.1).";
    E0455 = error "duplicate-label" "Labels of one function have different names (C99 6.8.1).";
    E0456 = error "return-value" "A function that returns a value needs one after `return`; a `void` function and a kernel cannot return one (C99 6.8.6.4).\n\n```c\nint f(void) { return; }    // wrong\nvoid g(void) { return 1; } // wrong\n```";
    E0457 = error "empty-case-range" "A range `case first ... last` needs `first` to be at most `last`.";
    E0458 = error "loop-hint" "`opencl_unroll_hint` stands before a loop, with a positive count if it has one (OpenCL C 6.12.5).\n\n```c\n__attribute__((opencl_unroll_hint(4)))\nfor (int i = 0; i < n; i++) f(i); // right\n```";
    W0450 = warning "case-out-of-range" "The value of a `case` label does not fit the type of the selector; the `switch` compares with the value that remains.";
    W0451 = pedantic "return-void-expression" "`return` with an expression of type `void` in a `void` function: OpenCL C follows C99, which has no such statement (6.8.6.4). The expression is evaluated.";
    W0452 = warning "misplaced-pragma" "A loop pragma stands before something that is not a loop and has no effect.";
    W0453 = warning "return-type" "The end of a function that returns a value can be reached without `return`; the result is then undefined (C99 6.9.1).";
}
