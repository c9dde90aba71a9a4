//! A typed SSA intermediate representation with storage classes, text form, verifier and CFG analyses
