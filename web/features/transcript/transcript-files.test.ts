import { expect, test } from 'vitest'
import { writePlainText } from '#media/write-captions.ts'
import { nameFile, writeTimedText } from './transcript-files.tsx'

const LINES = [
  { start: 0, text: ' Make a loop. ' },
  { start: 3725.9, text: 'Pull it tight.' },
]

test('a transcript is written with its times or without', () => {
  expect(writeTimedText(LINES)).toBe('00:00  Make a loop.\n01:02:05  Pull it tight.\n')
  expect(writePlainText(LINES)).toBe('Make a loop.\nPull it tight.\n')
})

test.each([
  ['How to tie: a "bowline"?', 'How-to-tie-a-bowline.vtt'],
  ['../../etc/passwd', 'etc-passwd.vtt'],
  ['Größe ändern', 'Größe-ändern.vtt'],
  ['📹 فيديو تدريبي 👩🏽‍🏭', 'فيديو-تدريبي.vtt'],
  ['फ़िल्टर बदलें', 'फ़िल्टर-बदलें.vtt'],
  ['???', 'transcript.vtt'],
  ['x'.repeat(300), `${'x'.repeat(80)}.vtt`],
])('the file of %j is called %s', (title, name) => {
  expect(nameFile(title, 'vtt')).toBe(name)
})
