import type { Page } from '@playwright/test'

/** Until the player shows a frame, and stands still. */
export async function untilImage(page: Page): Promise<void> {
  const video = page.locator('video')
  await video.evaluate(async (element: HTMLVideoElement) => {
    while (element.readyState < HTMLMediaElement.HAVE_CURRENT_DATA) await new Promise((done) => setTimeout(done, 100))
    element.pause()
  })
}
