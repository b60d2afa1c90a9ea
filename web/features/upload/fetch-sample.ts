import * as m from '#messages'

/** Made by the fixture script and served with the app. A module is titled after its file's name. */
const SAMPLE = {
  // not-shown: for developers.
  video: { path: '/sample/adapt-sample.mp4', name: 'Change the roll in a label printer.mp4', type: 'video/mp4' },
  // not-shown: for developers.
  captions: { path: '/sample/adapt-sample.vtt', name: 'Change the roll in a label printer.vtt', type: 'text/vtt' },
} as const

/** The how-to that comes with Adapt. Its captions let it work where no speech recogniser is installed. */
export async function fetchSample() {
  const [video, captions] = await Promise.all([fetchFile(SAMPLE.video), fetchFile(SAMPLE.captions)])
  return { video, captions }
}

async function fetchFile({ path, name, type }: { path: string; name: string; type: string }): Promise<File> {
  const response = await fetch(path)
  // An address without a file is answered with the page, and 200.
  const isPage = response.headers.get('content-type')?.startsWith('text/html') ?? false
  if (!response.ok || isPage) throw new Error(m.sample_not_installed())
  return new File([await response.blob()], name, { type })
}
