// Behaviour: what the picture of a video is in reaches the module.
import { describe, expect, it } from 'vitest'
import { readShare } from '#worker/domain/share/read-share.ts'
import { beginUpload, pickFile } from '../testing/browser-upload.ts'
import { openDriver } from '../testing/drive.ts'
import { moduleOf } from '../testing/outcome.ts'
import { holdTasks } from '../testing/seed-tasks.ts'

holdTasks()

const AUDIO_MS = 60_000

async function makeModule(picture: 'avc' | 'hevc' | undefined, { isAudioFirst }: { isAudioFirst: boolean }) {
  const driver = openDriver()
  const upload = await beginUpload(driver, await pickFile(AUDIO_MS, 0, picture))
  if (isAudioFirst) await upload.sendAllAudio()
  await upload.sendVideo()
  await driver.drain()
  return { driver, upload }
}

describe('what the picture of a video is in', () => {
  it.each([
    ['hevc', true, 'hvc1.1.6.L93.B0'],
    ['hevc', false, 'hvc1.1.6.L93.B0'],
    ['avc', false, 'avc1.64001f'],
    [undefined, false, null],
  ] as const)(
    'is kept with the module and shown to learners: %s, audio first %s',
    async (picture, isAudioFirst, codec) => {
      const { driver, upload } = await makeModule(picture, { isAudioFirst })
      expect(await moduleOf(driver, upload)).toMatchObject({ status: 'READY', videoCodec: codec })
      expect((await readShare(driver.deps, upload.moduleId)).module.videoCodec).toBe(codec)
    },
  )
})
