import { compareOddFiles } from './compare-odd-files.ts'
const r = await compareOddFiles({
  seed: Number(process.argv[2]),
  files: Number(process.argv[3]),
  keepIn: '/tmp/wm-odd/wrong',
})
for (const w of r.wrong) console.log(w)
for (const w of r.refused) console.log('refused', w.name, '|', w.refusal)
console.log(r.right.length, 'right', r.refused.length, 'refused', r.wrong.length, 'wrong')
