import { openEngines } from '/work/w-d/bench/screen/engine.ts'
import { decodeFrames } from '/work/w-d/bench/screen/frames.ts'
import { findLines } from '/work/w-d/screen/find-lines.ts'
import { prepareLine, toFrame } from '/work/w-d/screen/prepare-line.ts'
import { toText } from '/work/w-d/screen/line-text.ts'
import { writeFileSync } from 'node:fs'
import { toPgm } from '/work/w-d/screen/gray.ts'
const [,, path, w, h, lang='en', at='2'] = process.argv
const e = openEngines('/tmp/td2'); let f:any; for await (const x of decodeFrames(path,{width:+w,height:+h},1)) { f=x; if (x.timeMs>=+at*1000) break }
let i=0
for (const b of findLines(f.image)) { const p=prepareLine(f.image,b); if(!p){console.log(JSON.stringify(b),'flat');continue}
 if(process.env.DUMP) writeFileSync(`/tmp/line-${i}.pgm`,toPgm(p.image))
 const r=await e.readerOf(lang)(p.image); const t=toText({words:r.words.map(w=>({...w,letters:w.letters.map(l=>({...l,left:toFrame(p,l.left),right:toFrame(p,l.right)}))}))})
 console.log(i++,JSON.stringify(b),t?.confidence.toFixed(2),t?.leastConfidence.toFixed(2),t?.text, process.env.W? r.words.map(w=>w.letters.map(l=>l.text).join('')+':'+Math.round(w.confidence)).join(' '):'') }
await e.close(); process.exit()
