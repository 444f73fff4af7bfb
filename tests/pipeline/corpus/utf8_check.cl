// SPDX-License-Identifier: Apache-2.0
// Whether texts are well-formed UTF-8, and their code points: a machine of Table 3-7 of the Unicode standard.
enum { UTF_START, UTF_ONE, UTF_TWO, UTF_THREE, UTF_E0, UTF_ED, UTF_F0, UTF_F4, UTF_BAD };
kernel void utf8_check(global const uchar *text, uint n, global int *points) {
  size_t g = get_global_id(0);
  int state = UTF_START, count = 0;
  for (uint i = 0; i < n; i++) {
    uchar c = text[g * n + i];
    bool tail = (c & 0xC0) == 0x80;
    switch (state) {
    case UTF_START:
      if (c < 0x80) state = UTF_START;
      else if (c >= 0xC2 && c <= 0xDF) state = UTF_ONE;
      else if (c == 0xE0) state = UTF_E0;
      else if (c == 0xED) state = UTF_ED;
      else if (c >= 0xE1 && c <= 0xEF) state = UTF_TWO;
      else if (c == 0xF0) state = UTF_F0;
      else if (c >= 0xF1 && c <= 0xF3) state = UTF_THREE;
      else if (c == 0xF4) state = UTF_F4;
      else state = UTF_BAD;
      count++;
      break;
    case UTF_ONE: state = tail ? UTF_START : UTF_BAD; break;
    case UTF_TWO: state = tail ? UTF_ONE : UTF_BAD; break;
    case UTF_THREE: state = tail ? UTF_TWO : UTF_BAD; break;
    case UTF_E0: state = tail && c >= 0xA0 ? UTF_ONE : UTF_BAD; break;
    case UTF_ED: state = tail && c < 0xA0 ? UTF_ONE : UTF_BAD; break;
    case UTF_F0: state = tail && c >= 0x90 ? UTF_TWO : UTF_BAD; break;
    case UTF_F4: state = tail && c < 0x90 ? UTF_TWO : UTF_BAD; break;
    default: goto done;
    }
  }
done:
  points[g] = state == UTF_START ? count : -1;
}
