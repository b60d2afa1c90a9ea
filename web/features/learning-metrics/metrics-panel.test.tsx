import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { LearningMetricsAnswer } from '#contract/learning.ts'
import { makeProblem, renderPage } from '#web/testing/page-harness.tsx'
import { MetricsPanel } from './metrics-panel.tsx'

const METRICS = 'GET /api/learning-metrics/m1'
const ANSWER: LearningMetricsAnswer = {
  success: true,
  learners: 8,
  completed: 3,
  selfReported: 0,
  isCounting: false,
  meanPercent: 61.5,
  completionPercent: 90,
  curve: { pieceSeconds: 10, learners: [8, 8, 6, 4, 3] },
  steps: [
    {
      stepId: 'a',
      title: 'Open the lid',
      start: 0,
      end: 20,
      reached: 8,
      finished: 7,
      rewatched: 2,
      left: 1,
      questions: 4,
      reports: 0,
    },
    {
      stepId: 'b',
      title: 'Turn the key',
      start: 20,
      end: 50,
      reached: 6,
      finished: 3,
      rewatched: 0,
      left: 4,
      questions: 0,
      reports: 2,
    },
  ],
}

function openPanel(answer: unknown = ANSWER) {
  const answers: Record<string, unknown> = { [METRICS]: answer }
  const panel = <MetricsPanel moduleId="m1" durationS={50} />
  return { answers, ...renderPage(panel, { path: '/', url: '/', answers }) }
}

afterEach(() => {
  vi.restoreAllMocks()
})

describe('MetricsPanel', () => {
  test('shows the number of learners, how many have finished, and the results of each step', async () => {
    openPanel()
    const figures = await screen.findAllByRole('definition')
    expect(figures.map(({ textContent }) => textContent)).toEqual(['8', '3', '61.5%'])
    const table = screen.getByRole('table', { name: /^What became of each step/ })
    const rows = within(table).getAllByRole('row')
    expect(
      within(table)
        .getAllByRole('columnheader')
        .map(({ textContent }) => textContent),
    ).toEqual(['Step', 'Reached', 'Finished', 'Rewatched', 'Left here', 'Questions', 'Reports'])
    expect(
      within(rows[2] as HTMLElement)
        .getAllByRole('cell')
        .map(({ textContent }) => textContent),
    ).toEqual(['675%', '338%', '0', '4', '0', '2'])
    expect(screen.getByRole('img', { name: /^How many learners have seen each part/ })).toBeVisible()
  })

  test('says that there are no views yet', async () => {
    openPanel({ ...ANSWER, learners: 0, completed: 0, meanPercent: null })
    expect(await screen.findByText(/^No views yet/)).toBeVisible()
    expect(screen.queryByRole('table')).toBeNull()
    expect(screen.queryByRole('button', { name: 'Download' })).toBeNull()
  })

  test('can be loaded again when it fails', async () => {
    const { answers } = openPanel(makeProblem('not_found', 'Gone'))
    const again = await screen.findByRole('button', { name: 'Load learners again' })
    expect(screen.getByRole('alert')).toHaveTextContent('Failed to load learners')
    answers[METRICS] = ANSWER
    await userEvent.click(again)
    expect(await screen.findByRole('table')).toBeVisible()
  })

  test('changes when the video is completed, and refuses what is no percentage', async () => {
    const { answers } = openPanel()
    const sent: unknown[] = []
    answers['PATCH /api/modules/m1'] = ({ body }: { body: unknown }) => {
      sent.push(body)
      answers[METRICS] = { ...ANSWER, completionPercent: 60, completed: 5 }
      return { success: true }
    }
    const field = await screen.findByRole('spinbutton', { name: /^Completed once/ })
    expect(screen.queryByRole('button', { name: 'Save' })).toBeNull()
    await userEvent.clear(field)
    await userEvent.type(field, '600')
    expect(screen.getByRole('alert')).toHaveTextContent('A whole number from 1 to 100.')
    await userEvent.type(field, '{Backspace}')
    await userEvent.click(screen.getByRole('button', { name: 'Save' }))
    expect(sent).toEqual([{ completionPercent: 60 }])
    expect(await screen.findByText('5')).toBeVisible()
    expect(field).toHaveValue(60)
  })

  test('says who completed it by what was reported later, and that changed steps are being counted', async () => {
    openPanel({ ...ANSWER, selfReported: 2, isCounting: true })
    expect(
      await screen.findByText(/^2 more learners have completed it with playback that their browser reported later/),
    ).toBeVisible()
    expect(screen.getByText(/^Steps were changed/)).toBeVisible()
  })

  test('hands out everything as files', async () => {
    const { answers } = openPanel()
    answers['GET /api/learning-metrics/m1/export'] = new Blob(['x'])
    const urls: Blob[] = []
    URL.createObjectURL = (file) => {
      urls.push(file as Blob)
      return 'blob:x'
    }
    URL.revokeObjectURL = () => {}
    const names: string[] = []
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      names.push(this.download)
    })
    for (const name of ['Learners as a table (CSV)', 'xAPI statements (JSON)']) {
      await userEvent.click(await screen.findByRole('button', { name: 'Download' }))
      await userEvent.click(await screen.findByRole('menuitem', { name }))
      await vi.waitFor(() => expect(urls.length).toBe(names.length))
    }
    await vi.waitFor(() => expect(names).toEqual(['learners.csv', 'statements.json']))
  })
})
