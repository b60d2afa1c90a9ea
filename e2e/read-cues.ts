import { spawnSync } from 'node:child_process'
import type { Page } from '@playwright/test'

export interface Cue {
  startMs: number
  endMs: number
  text: string
}

/** What the browser's own parser makes of a WebVTT file. */
export function readVtt(page: Page, vtt: string): Promise<Cue[]> {
  return page.evaluate(async (text) => {
    const video = document.createElement('video')
    const element = document.createElement('track')
    element.src = URL.createObjectURL(new Blob([text], { type: 'text/vtt' }))
    video.append(element)
    document.body.append(video)
    const loaded = new Promise((resolve, reject) => {
      element.addEventListener('load', resolve)
      element.addEventListener('error', () => reject(new Error('the browser cannot read the file')))
    })
    element.track.mode = 'hidden'
    await loaded
    const cues = [...(element.track.cues ?? [])].map((cue) => {
      const [startMs = 0, endMs = 0] = [cue.startTime, cue.endTime].map((seconds) => Math.round(seconds * 1000))
      return { startMs, endMs, text: (cue as VTTCue).text }
    })
    video.remove()
    return cues
  }, vtt)
}

/** What ffmpeg's parser makes of a SubRip file, as WebVTT. */
export function convertSrt(srt: string): string {
  const args = '-v error -f srt -i pipe:0 -f webvtt pipe:1'.split(' ')
  const { stdout, stderr, status } = spawnSync('ffmpeg', args, { input: srt, encoding: 'utf8' })
  if (status !== 0) throw new Error(`ffmpeg cannot read the file: ${stderr}`)
  return stdout
}
