// A small stack machine: every lane interprets its own program; a switch of many cases, a stack in scratch.
// in code u8[2048] = random(102)
// out results i32[64]
// run machine grid=64 group=64: code results
__kernel void machine(__global const uchar *code, __global int *results) {
  uint id = get_global_id(0), sp = 0, pc = 0, budget = 80;
  int stack[8] = {0}, acc = id;
  while (budget-- && pc < 32) {
    uchar op = code[id * 32 + pc++];
    switch (op & 15) {
    case 0: stack[sp++ & 7] = acc; break;
    case 1: acc = stack[--sp & 7]; break;
    case 2: acc += stack[(sp - 1) & 7]; break;
    case 3: acc -= op >> 4; break;
    case 4: acc *= (op >> 4) + 1; break;
    case 5: acc ^= op << 5; break;
    case 6: acc = acc / ((op >> 4) + 1); break;
    case 7: acc = -acc; break;
    case 8: acc = (int)((uint)acc << (op >> 5)); break;
    case 9: acc >>= op >> 5; break;
    case 10: if (acc & 1) pc = pc + (op >> 6); break;
    case 11: if (acc < 0) pc = op >> 3; break;
    case 12: stack[op >> 5] += acc; break;
    case 13: { int t = acc; acc = stack[op >> 5]; stack[op >> 5] = t; break; }
    case 14: if (op == 0xfe) { results[id] = acc; return; } acc = ~acc; break;
    default: acc = (acc & 0xffff) * 31 + pc; break;
    }
  }
  for (uint i = 0; i < 8; i++)
    acc = acc * 17 + stack[i];
  results[id] = acc;
}
