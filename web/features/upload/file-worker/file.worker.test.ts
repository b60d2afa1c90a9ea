import { describe, expect, it } from 'vitest'
import { type MadeContainer, type MadePicture, makeMedia, steadyPackets } from '#media/testing/make-media.ts'
import { inspectFile } from './file.worker.ts'

async function inspectMade(container: MadeContainer, picture?: MadePicture) {
  return inspectFile(new Blob([(await makeMedia(container, steadyPackets(100), picture)) as Uint8Array<ArrayBuffer>]))
}

describe('inspectFile', () => {
  it.each([
    ['AVI', 'RIFF\0\0\0\0AVI LIST', 'AVI'],
    ['what no list knows', '\x7f\x01\0\0\0\0ELSE', null],
  ])('refuses %s, which the server cannot read', async (_, content, container) => {
    expect(await inspectFile(new Blob([content]))).toMatchObject({ fault: 'foreign_container', container })
  })

  it('leaves a page to those who know that it is none', async () => {
    expect(await inspectFile(new Blob(['<!doctype html>']))).toMatchObject({ fault: 'no_media' })
  })

  it('finds the picture and where it is in', async () => {
    expect(await inspectMade('mp4', 'avc')).toMatchObject({
      container: 'video/mp4',
      videoCodec: 'avc1.64001f',
      hasPicture: true,
      conversion: null,
      fault: null,
    })
    expect(await inspectMade('mp4')).toMatchObject({ hasPicture: false, videoCodec: null, fault: null })
  })

  it('offers no conversion where the browser has no converter', async () => {
    expect(await inspectMade('mov', 'hevc')).toMatchObject({ videoCodec: 'hvc1.1.6.L93.B0', conversion: null })
  })
})
