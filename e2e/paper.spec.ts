import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Browser, expect, type Page, test } from '@playwright/test'
import { ModuleAnswer } from '#contract/module.ts'
import type { Step } from '#contract/step.ts'
import { ensureTools } from '#local/start/tools.ts'
import { apiOf, tokenOf } from './people.ts'
import { readCodes } from './read-codes.ts'
import { makeSample, openSample } from './sample-module.ts'
import { expectAccessible } from './screen.ts'
import { stepsOf } from './training.ts'

const run = promisify(execFile)
/** As fine as a simple printer prints. */
const DOTS_PER_INCH = 200
const STEP_COUNT = 14

let id: string
let steps: Step[]

/** Reads a PDF back: the text of each of its pages, and what the codes on them say, in their order. */
async function readPdf(pdf: Buffer): Promise<{ texts: string[]; links: string[][] }> {
  const folder = await mkdtemp(join(tmpdir(), 'adapt-paper-'))
  try {
    const file = join(folder, 'paper.pdf')
    await writeFile(file, pdf)
    const { stdout } = await run('pdftotext', ['-layout', file, '-'])
    // Each page ends with a form feed.
    const texts = stdout.split('\f').slice(0, -1)
    await run('pdftoppm', ['-gray', '-png', '-r', String(DOTS_PER_INCH), file, join(folder, 'page')])
    const images = (await readdir(folder)).filter((name) => name.endsWith('.png')).sort()
    const links = await Promise.all(images.map(async (name) => readCodes(await readFile(join(folder, name)))))
    return { texts, links }
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** A sample with as many steps as fill some pages, some of them with callouts. */
async function makeTraining(page: Page): Promise<void> {
  id = await openSample(page)
  const token = await tokenOf(page)
  const { module } = ModuleAnswer.parse(await apiOf(page, `/api/modules/${id}`))
  const lengthS = (module.totalDuration ?? 0) / STEP_COUNT
  const list = Array.from({ length: STEP_COUNT }, (_, at) => ({
    title: `Step of the print number ${at + 1}`,
    description: `This begins part ${at + 1}. ${'Take the cover off and put it aside. '.repeat(5)}This ends part ${at + 1}.`,
    start: module.steps[at]?.start ?? at * lengthS,
    end: (module.steps[at]?.start ?? at * lengthS) + lengthS,
    callouts:
      at % 4 === 0
        ? [
            { kind: 'warning', text: `The plate ${at + 1} is hot.` },
            { kind: 'tool', text: 'A screwdriver' },
          ]
        : [],
  }))
  const sorted = list.toSorted((a, b) => a.start - b.start)
  const answer = await page.request.post(`/api/steps/${id}`, {
    headers: { authorization: `Bearer ${token}` },
    data: { steps: sorted },
  })
  steps = ((await answer.json()) as { steps: Step[] }).steps
}

async function openPrint(browser: Browser): Promise<Page> {
  const page = await (await browser.newContext()).newPage()
  await expect(async () => {
    await page.goto(`/share/${id}/print`)
    await expect(page.getByRole('heading', { level: 3 })).toHaveCount(STEP_COUNT, { timeout: 1_000 })
  }).toPass()
  return page
}

test.describe.configure({ mode: 'serial' })

test.beforeAll(async ({ browser }) => {
  await ensureTools(['pdftotext'])
  const page = await (await browser.newContext()).newPage()
  await makeTraining(page)
  await page.context().close()
})

for (const format of ['A4', 'Letter']) {
  test(`is printed on ${format}: no step is broken, and each code leads to its step`, async ({ browser }) => {
    const page = await openPrint(browser)
    const pdf = await page.pdf({ format })
    await page.context().close()
    const { texts, links } = await readPdf(pdf)

    await test.step('some pages, with each step whole on one of them', () => {
      expect(texts.length).toBeGreaterThan(2)
      expect(texts.length).toBeLessThan(STEP_COUNT / 2)
      expect(texts[0]).toMatch(/Version \d+ · \d+ [A-Z]/)
      expect(texts.join()).not.toContain('Ctrl+P')
      steps.forEach(({ title, callouts }) => {
        const own = texts.filter((text) => new RegExp(`${title}\\b`).test(text))
        expect(own, title).toHaveLength(1)
        const part = title.replace('Step of the print number', 'part')
        const oneLine = own[0]?.replaceAll(/\s+/g, ' ') ?? ''
        for (const edge of [`This begins ${part}.`, `ends ${part}.`]) expect(oneLine).toContain(edge)
        for (const { text } of callouts) expect(oneLine).toContain(text)
      })
    })

    await test.step('a code of the video, and one for each step', async () => {
      const [video, ...codes] = links.flat()
      expect(new URL(video ?? '').pathname).toBe(`/share/${id}`)
      expect(codes).toHaveLength(STEP_COUNT)
      const learner = await (await browser.newContext()).newPage()
      for (const [at, code] of codes.entries()) {
        await learner.goto(code)
        await expect(stepsOf(learner).nth(at).getByRole('button')).toHaveAttribute('aria-current', 'step')
      }
      await learner.context().close()
    })
  })
}

test('is read on a screen too, and found from the share page and the training page', async ({ browser, page }) => {
  const print = await openPrint(browser)
  await expectAccessible(print, 'the page to print')
  await print.getByRole('link', { name: 'Back to the video' }).click()
  await expect(print.getByRole('heading', { name: 'Steps' })).toBeVisible()
  const links = print.getByRole('navigation', { name: 'Print and download' })
  for (const name of ['Steps (Markdown)', 'Chapters (VTT)', 'Captions (VTT)', 'Captions (SRT)']) {
    const arriving = print.waitForEvent('download')
    await links.getByRole('link', { name }).click()
    const [line = ''] = (await readFile(await (await arriving).path(), 'utf8')).split('\n')
    expect(line, name).toMatch(/^(# |WEBVTT|1$)/)
  }
  await links.getByRole('link', { name: 'Print' }).click()
  await expect(print.getByText('Print with Ctrl+P')).toBeVisible()
  await print.context().close()

  const own = await makeSample(page)
  await page.goto(`/training/${own}`)
  await page.getByRole('button', { name: 'Print and download' }).click()
  const arriving = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: 'Download all files' }).click()
  expect((await arriving).suggestedFilename()).toMatch(/\.zip$/)
  await page.getByRole('button', { name: 'Print and download' }).click()
  const opening = page.waitForEvent('popup')
  await page.getByRole('menuitem', { name: 'Print' }).click()
  await expect((await opening).getByText('Print with Ctrl+P')).toBeVisible()
})
