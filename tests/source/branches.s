start: s_nop 0
s_branch end
s_cbranch_scc0 start
s_branch .
1: s_branch 1b
s_branch 1f
1: s_nop 1 /* comment
over two lines */
s_branch start
end: s_branch 1b
# comment
a: b: c: s_branch a // comment
// comment
.section .other, "ax"
s_branch start
