// @ parse_rows 4096|1048576 64 iota:4097|1048577:96 u8:393216|100663296:44..58 >f64:16384|4194304

#pragma OPENCL EXTENSION cl_khr_fp64 : enable

// Parses the first four columns of CSV rows as decimal numbers. The rows
// begin at offsets found by an earlier pass. Cells that are empty or not
// numbers become a sentinel, as do those that are missing.

#define COLUMNS 4
#define MISSING (-1.0e30)

__constant double pow10_exact[] = {
  1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12,
  1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22
};

typedef enum { CELL_START, CELL_INTEGER, CELL_FRACTION, CELL_BAD } State;

typedef struct {
  ulong mantissa;
  int digits;     // significant ones in the mantissa
  int scale;      // power of ten to divide by
  bool negative;
  State state;
} Cell;

void resetCell(Cell* c) {
  c->mantissa = 0;
  c->digits = 0;
  c->scale = 0;
  c->negative = false;
  c->state = CELL_START;
}

void feedDigit(Cell* c, uint digit) {
  const bool fraction = c->state == CELL_FRACTION;
  if (c->digits < 18) {
    c->mantissa = c->mantissa * 10 + digit;
    c->digits += c->mantissa != 0;
    c->scale += fraction;
  } else {
    c->scale -= !fraction;      // digits beyond the 18th are cut off
  }
}

double cellValue(const Cell* c) {
  if (c->state == CELL_BAD || c->state == CELL_START) return MISSING;
  double value = (double)c->mantissa;
  if (c->scale > 0)
    value /= pow10_exact[min(c->scale, 22)];
  else
    value *= pow10_exact[min(-c->scale, 15)];
  return c->negative ? -value : value;
}

kernel void parse_rows(global const uint* rowOffsets, global const uchar* text,
                       global double* table) {
  const size_t row = get_global_id(0);
  const uint end = rowOffsets[row + 1];
  double values[COLUMNS] = {MISSING, MISSING, MISSING, MISSING};
  int column = 0;

  Cell cell;
  resetCell(&cell);
  for (uint p = rowOffsets[row]; p < end; ++p) {
    const uchar ch = text[p];
    switch (ch) {
      case ',':
        values[column] = cellValue(&cell);
        resetCell(&cell);
        ++column;
        break;
      case '-':
        if (cell.state == CELL_START && !cell.negative)
          cell.negative = true;
        else
          cell.state = CELL_BAD;
        break;
      case '.':
        cell.state = (cell.state == CELL_START || cell.state == CELL_INTEGER)
                         ? CELL_FRACTION : CELL_BAD;
        break;
      case '0': case '1': case '2': case '3': case '4':
      case '5': case '6': case '7': case '8': case '9':
        if (cell.state == CELL_BAD) break;
        if (cell.state == CELL_START) cell.state = CELL_INTEGER;
        feedDigit(&cell, ch - '0');
        break;
      default:
        cell.state = CELL_BAD;
    }
    if (column == COLUMNS) break;
  }
  if (column < COLUMNS) values[column] = cellValue(&cell);

  for (int i = 0; i < COLUMNS; ++i)
    table[row * COLUMNS + i] = values[i];
}
