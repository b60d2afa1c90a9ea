import { describe, expect, it } from 'vitest'
import { chooseFiles, videoTypeOf } from './choose-files.ts'

const file = (name: string, type = '') => new File(['x'], name, { type })

describe('videoTypeOf', () => {
  it.each([
    ['talk.mp4', 'video/mp4', 'video/mp4'],
    ['talk', 'video/quicktime', 'video/quicktime'],
    ['talk.MKV', '', 'video/x-matroska'],
    ['talk.webm', 'application/octet-stream', 'video/webm'],
    ['talk.mp4', 'text/html', null],
    ['talk.mp3', 'audio/mpeg', null],
    ['talk.txt', '', null],
    ['talk.ts', 'text/vnd.trolltech.linguist', 'video/mp2t'],
    ['talk.M2TS', '', 'video/mp2t'],
    ['mp4', '', 'video/mp4'],
    ['', '', null],
  ])('%s of type "%s" is uploaded as %s', { tags: 'spec-5.1' }, (name, type, expected) => {
    expect(videoTypeOf({ name, type })).toBe(expected)
  })
})

describe('chooseFiles', () => {
  it('takes the first video and the first caption file, whatever the order', () => {
    const [notes, captions, first, second] = [
      file('notes.pdf', 'application/pdf'),
      file('a.srt'),
      file('a.mp4', 'video/mp4'),
      file('b.mp4', 'video/mp4'),
    ]
    const chosen = chooseFiles([notes, captions, first, second])
    expect(chosen).toEqual({ video: first, captions, skipped: [second], rejected: [notes] })
  })

  it('finds no video in captions alone', () => {
    expect(chooseFiles([file('a.vtt')])).toMatchObject({ video: null, rejected: [] })
  })
})
