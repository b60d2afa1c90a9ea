import { screen, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import type { LanguageStatus, LanguagesAnswer, TranslatedItem } from '#contract/translation.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { fakeApi, renderApp } from '#web/testing/render-app.tsx'
import { LanguageSettings } from './language-settings.tsx'

const LIST = 'GET /api/modules/m1/languages'
const PATCH = 'PATCH /api/modules/m1'
const ITEMS = 'GET /api/modules/m1/translations/es'
const EDIT = 'PUT /api/modules/m1/translations/es'

const SPANISH: LanguageStatus = {
  tag: 'es',
  isOn: false,
  isChecked: true,
  usd: 0,
  total: 4,
  done: 0,
  keptBack: 0,
  changed: 0,
  isApproved: false,
  isInProgress: false,
  failure: null,
}

const STEP: TranslatedItem = {
  item: 'step:a',
  sourceHash: 'a1',
  source: ['Open the lid', 'Turn the screw 12 times.'],
  texts: ['Abra la tapa', 'Gire el tornillo 21 veces.'],
  state: 'kept_back',
  complaints: [{ kind: 'number', lost: ['12'], added: ['21'] }],
  isByPerson: false,
  earlier: null,
}
const TITLE: TranslatedItem = {
  ...STEP,
  item: 'title',
  sourceHash: 't1',
  source: ['The lid'],
  texts: ['La tapa'],
  state: 'good',
  complaints: [],
}

interface Given {
  languages?: LanguageStatus[]
  more?: Partial<LanguagesAnswer>
  items?: TranslatedItem[]
  patch?: (body: unknown) => unknown
}

function open({ languages = [SPANISH], more = {}, items = [TITLE, STEP], patch }: Given = {}) {
  const bodies: unknown[] = []
  const keep = (body: unknown) => {
    bodies.push(body)
    return patch?.(body) ?? { success: true }
  }
  const api = fakeApi({
    [LIST]: () => ({ success: true, original: 'en', engine: 'Apertium', languages, whyNone: null, ...more }),
    [PATCH]: keep,
    [ITEMS]: () => ({ success: true, items }),
    [EDIT]: keep,
  })
  return { ...renderApp(<LanguageSettings moduleId="m1" />, { callApi: api.callApi }), calls: api.calls, bodies }
}

const spanish = () => screen.findByRole('switch', { name: 'Español' })

describe('LanguageSettings', () => {
  it('shows what a language costs before it is switched on, and whether it is checked', async () => {
    const polish = { ...SPANISH, tag: 'pl' as const, isChecked: false, usd: 0.234 }
    open({ languages: [SPANISH, { ...SPANISH, tag: 'de', usd: 0.001 }, polish] })
    expect(await spanish()).toHaveAccessibleDescription('Costs nothing.')
    expect(screen.getByRole('switch', { name: 'Deutsch' })).toHaveAccessibleDescription(
      'Costs less than $0.01 of your limit of the day for AI.',
    )
    expect(screen.getByRole('switch', { name: 'Polski' })).toHaveAccessibleDescription(
      'Costs about $0.23 of your limit of the day for AI. Its translations are not checked.',
    )
    expect(
      screen.getByText(/^Learners read the training in the language of their device. Apertium translates/),
    ).toBeVisible()
  })

  it('switches a language on beside those that are on, and off again', async () => {
    const { user, bodies } = open({ languages: [{ ...SPANISH, tag: 'de', isOn: true, done: 4 }, SPANISH] })
    await user.click(await spanish())
    await user.click(screen.getByRole('switch', { name: 'Deutsch' }))
    expect(bodies).toEqual([{ languages: ['de', 'es'] }, { languages: [] }])
  })

  it('says how far a language is, and what needs a look', async () => {
    open({ languages: [{ ...SPANISH, isOn: true, done: 2, keptBack: 1, changed: 1 }] })
    expect(await spanish()).toHaveAccessibleDescription(
      '2 of 4 parts; 1 kept back, shown in the original; 1 changed since you corrected them.',
    )
  })

  it('says why a translation has ended, and begins it again', async () => {
    const failure = { code: 'ai_quota', detail: 'The limit of the day is reached.' } as const
    const failed = { ...SPANISH, isOn: true, failure }
    const { user, bodies } = open({ languages: [failed, { ...SPANISH, tag: 'de', isOn: true }] })
    expect(await spanish()).toHaveAccessibleDescription(
      'The limit of the day is reached. What is translated so far is shown.',
    )
    await user.click(screen.getByRole('button', { name: 'Try again: Español' }))
    expect(bodies).toEqual([{ languages: ['de', 'es'] }])
  })

  it('says why no language can be switched on', async () => {
    const whyNone = { code: 'no_engine', detail: 'No translation engine is set up here.' } as const
    open({ languages: [], more: { engine: null, whyNone } })
    expect(await screen.findByText('No translation engine is set up here.')).toBeVisible()
    expect(screen.queryByRole('switch')).toBeNull()
  })

  it('says what the server refuses', async () => {
    const { user } = open({
      patch: () => {
        throw new ApiError({ status: 429, code: 'quota_reached', message: 'The limit of the day is reached.' })
      },
    })
    await user.click(await spanish())
    expect(await screen.findByText('Failed to change the languages')).toBeVisible()
    expect(await spanish()).not.toBeChecked()
  })
})

describe('TranslationEditor', () => {
  const ON = { ...SPANISH, isOn: true, done: 1, keptBack: 1, total: 2 }

  async function review(given: Given = {}) {
    const opened = open({ languages: [ON], ...given })
    await opened.user.click(await screen.findByRole('button', { name: 'Review Español' }))
    await screen.findByRole('group', { name: /^Title/ })
    return opened
  }

  it('shows what is kept back first, with its reason, beside the original', async () => {
    await review()
    const [first] = screen.getAllByRole('group')
    expect(first).toHaveAccessibleName('Open the lid (kept back)')
    expect(first).toHaveTextContent('Missing: 12. Added: 21.')
    expect(within(first as HTMLElement).getByRole('textbox', { name: 'Turn the screw 12 times.' })).toHaveValue(
      'Gire el tornillo 21 veces.',
    )
  })

  it("keeps a person's words of one part", async () => {
    const { user, bodies } = await review()
    const field = screen.getByRole('textbox', { name: 'Turn the screw 12 times.' })
    expect(field).toHaveAttribute('lang', 'es')
    const save = screen.getByRole('button', { name: 'Save: Open the lid' })
    expect(save).toBeDisabled()
    await user.clear(field)
    await user.type(field, 'Gire el tornillo 12 veces.')
    await user.click(save)
    expect(bodies).toEqual([
      { item: 'step:a', sourceHash: 'a1', texts: ['Abra la tapa', 'Gire el tornillo 12 veces.'] },
    ])
  })

  it('approves one part, and all that learners read', async () => {
    const { user, bodies } = await review()
    await user.click(screen.getByRole('button', { name: 'Approve: Title' }))
    await user.click(screen.getByRole('button', { name: 'Approve Español' }))
    expect(bodies).toEqual([{ item: 'title', sourceHash: 't1', isApproved: true }, { isApproved: true }])
  })

  it('shows what a person had written before the source changed, which can be used again', async () => {
    const earlier = ['Abrir la tapa', 'Dé 12 vueltas.']
    const { user, bodies } = await review({ items: [TITLE, { ...STEP, state: 'good', complaints: [], earlier }] })
    const field = screen.getByRole('textbox', { name: 'Turn the screw 12 times.' })
    expect(field).toHaveAccessibleDescription('The source has changed. You had written: Dé 12 vueltas.')
    await user.click(screen.getByRole('button', { name: 'Use mine again: Open the lid' }))
    expect(bodies).toEqual([{ item: 'step:a', sourceHash: 'a1', texts: earlier }])
  })
})
