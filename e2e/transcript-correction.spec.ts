import { expect, test } from '@playwright/test'
import { ModuleAnswer } from '#contract/module.ts'
import { TranscriptAnswer } from '#contract/transcript.ts'
import { apiOf, createAccount } from './people.ts'
import { expectAccessible, expectReflow } from './screen.ts'
import { makeSpokenModule } from './spoken-module.ts'

const LINES = [
  'First, open cooper netties in the browser.',
  'Next, write a short title for cooper netties.',
  'Finally, click save in cooper netties.',
]

test('an owner corrects a line by keyboard, the same words elsewhere, and every viewer sees it', async ({
  page,
  browser,
}) => {
  await createAccount(page.request)
  const id = await makeSpokenModule(page, LINES)
  const viewer = await (await browser.newContext()).newPage()
  await createAccount(viewer.request)
  await viewer.goto(`/training/${id}`)
  await expect(viewer.getByText(LINES[0] as string).first()).toBeVisible()
  await expect(viewer.getByRole('button', { name: 'Correct the transcript' })).toBeHidden()

  const box = page.getByRole('region', { name: 'Transcript' })
  await box.getByRole('button', { name: 'Correct the transcript' }).press('Enter')
  await expectAccessible(page, 'correcting')
  await expectReflow(page, 'correcting')
  await box.getByRole('button', { name: /^Correct the line at 0 seconds/ }).focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  const field = box.getByRole('textbox', { name: 'Line at 0 seconds' })
  await expect(field).toBeFocused()
  await expectAccessible(page, 'a line that is open')
  await expectReflow(page, 'a line that is open')
  await field.fill('First, open Kubernetes in the browser.')
  await field.press('Enter')
  await expect(box.getByText('“cooper netties” is in 2 other places.')).toBeVisible()
  await expect(box.getByRole('button', { name: /Kubernetes/ }).first()).toBeFocused()
  await expectAccessible(page, 'other places')
  await expectReflow(page, 'other places')
  await expect(viewer.getByText('First, open Kubernetes in the browser.').first()).toBeVisible()

  await box.getByRole('button', { name: 'Look at them' }).click()
  const dialog = page.getByRole('dialog', { name: 'Replace “cooper netties” with “Kubernetes”?' })
  await expect(dialog).toBeVisible()
  await expectAccessible(page, 'places to tick')
  await expectReflow(page, 'places to tick')
  await dialog.getByRole('checkbox', { name: /Next, write/ }).uncheck()
  await dialog.getByRole('button', { name: 'Replace in 1 place' }).click()
  await expect(page.getByText('“Kubernetes” will be expected the next time')).toBeVisible()
  await expect(box.getByText('Finally, click save in Kubernetes.')).toBeVisible()
  await expect(viewer.getByText('Finally, click save in Kubernetes.').first()).toBeVisible()
  await box.getByRole('button', { name: 'Done correcting the transcript' }).click()
  await expect(box.getByText(/1\d\d characters/)).toBeVisible()

  await test.step('captions and quotes follow', async () => {
    const quotes = async () => {
      const { module } = ModuleAnswer.parse(await apiOf(page, `/api/modules/${id}`))
      return module.steps.map((step) => step.originalText).join(' ')
    }
    await expect.poll(quotes).toContain('First, open Kubernetes in the browser.')
    await expect.poll(quotes).toContain('Finally, click save in Kubernetes.')
    await expect
      .poll(() =>
        page.locator('video').evaluate((video: HTMLVideoElement) => {
          const [track] = video.textTracks
          if (track === undefined) return []
          track.mode = track.mode === 'disabled' ? 'hidden' : track.mode
          return [...(track.cues ?? [])].map((cue) => (cue as VTTCue).text)
        }),
      )
      .toContain('First, open Kubernetes in the browser.')
  })

  await test.step('Undo takes it back', async () => {
    // A message of the step before would lie over the newest one, or be taken for it.
    await expect(page.locator('[data-sonner-toast]')).toHaveCount(0)
    await box.getByRole('button', { name: 'Correct the transcript' }).click()
    await box.getByRole('button', { name: /Next, write/ }).click()
    await box.getByRole('textbox', { name: /^Line at/ }).fill('Next, write a title.')
    await box.getByRole('button', { name: 'Save line' }).click()
    const message = page.getByRole('listitem').filter({ hasText: 'Line corrected' })
    await message.getByRole('button', { name: 'Undo' }).click()
    await expect(box.getByRole('button', { name: /a short title for cooper netties/ })).toBeVisible()
  })

  await test.step('what is typed is asked about on the way out, and saved on the way to another line', async () => {
    await box.getByRole('button', { name: /Next, write/ }).click()
    await box.getByRole('textbox', { name: /^Line at/ }).fill('Next, write a title.')
    await page.getByRole('link', { name: 'Dashboard' }).first().click()
    await page.getByRole('alertdialog', { name: 'Leave without saving?' }).getByRole('button', { name: 'Stay' }).click()
    await box.getByRole('button', { name: /Finally, click/ }).click()
    await expect(box.getByRole('textbox', { name: /^Line at/ })).toHaveValue(/^Finally, click/)
    await expect(box.getByRole('textbox', { name: /^Line at/ })).toBeFocused()
    await expect(box.getByRole('button', { name: /Next, write a title\./ })).toBeVisible()
  })
  await viewer.context().close()
})

test('a correction that found no place is shown, and is put in by hand', async ({ page }) => {
  await createAccount(page.request)
  await makeSpokenModule(page, LINES)
  // Only another recogniser transcribes other words, so the server's answer is given a correction of an earlier run.
  await page.route(/\/api\/transcript\/[\w-]+$/, async (route) => {
    if (route.request().method() !== 'GET') return route.fallback()
    const response = await route.fetch()
    const answer = TranscriptAnswer.parse(await response.json())
    const transcribed = 'Next, write a shirt title.'
    const orphaned = [{ id: 's1-00001', start: 4, end: 8, transcribed, text: 'Next, write a short title.' }]
    return route.fulfill({ response, json: { ...answer, orphaned } })
  })
  await page.reload()
  const box = page.getByRole('region', { name: 'Transcript' })
  await expect(box.getByText(/One of your corrections found no place/)).toBeVisible()
  await expectAccessible(page, 'a correction without a place')
  await expectReflow(page, 'a correction without a place')
  await box.getByRole('button', { name: /^Put it in/ }).click()
  await expect(box.getByRole('textbox', { name: 'Line at 4 seconds' })).toHaveValue('Next, write a short title.')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Line corrected')).toBeVisible()
  await page.unrouteAll({ behavior: 'ignoreErrors' })
})
