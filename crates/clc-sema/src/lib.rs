//! Types, conversions, overload choice and address-space rules of OpenCL C
