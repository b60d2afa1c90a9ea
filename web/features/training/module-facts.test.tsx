import { screen, waitFor } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import type { CallApi } from '#web/lib/api.ts'
import { ApiError } from '#web/lib/api-error.ts'
import type { LoadedModule } from '#web/lib/module-cache.ts'
import { makeModuleAnswer } from '#web/testing/page-harness.tsx'
import { renderApp } from '#web/testing/render-app.tsx'
import { TranscriptionSettingsButton } from './module-facts.tsx'

const PATCH = 'PATCH /api/modules/m1'
const AGAIN = 'POST /api/reprocess/m1'

async function open(change: Partial<LoadedModule> = {}, fail: Partial<Record<string, ApiError>> = {}) {
  const calls: { name: string; body: unknown }[] = []
  const callApi: CallApi = async ({ path, method = 'GET', body, schema }) => {
    const name = `${method} ${path}`
    calls.push({ name, body })
    if (fail[name]) throw fail[name]
    return schema.parse({ success: true, moduleId: 'm1', run: 2 })
  }
  const module = { ...makeModuleAnswer().module, ...change }
  const { user } = renderApp(<TranscriptionSettingsButton module={module} />, { callApi })
  await user.click(screen.getByRole('button', { name: 'Language and glossary' }))
  return { user, calls }
}

const busy = new ApiError({ status: 503, code: 'unavailable', message: 'Busy.' })

describe('TranscriptionSettingsButton', () => {
  it('shows what is set, and says when it holds', async () => {
    await open({ language: 'pt-BR', glossary: 'tupia' })
    expect(screen.getByRole('dialog')).toHaveAccessibleDescription(/the next time this video is transcribed/)
    expect(screen.getByLabelText('Spoken language')).toHaveDisplayValue('Brazilian Portuguese')
    expect(screen.getByLabelText('Glossary')).toHaveValue('tupia')
    expect(screen.getByText('5 / 800')).toBeVisible()
  })

  it('keeps language and glossary for the next time', async () => {
    const { user, calls } = await open()
    expect(screen.getByLabelText('Spoken language')).toHaveDisplayValue('Auto-detect')
    await user.selectOptions(screen.getByLabelText('Spoken language'), 'German')
    await user.type(screen.getByLabelText('Glossary'), ' Fräse ')
    await user.click(screen.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('Saved')).toBeInTheDocument()
    expect(calls).toEqual([{ name: PATCH, body: { language: 'de', glossary: 'Fräse' } }])
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  it.each([true, false])(
    'has the glossary of the organization beside its own, to be changed: %j',
    async (mayChange) => {
      const calls: { method: string; body: unknown }[] = []
      const callApi: CallApi = async ({ path, method = 'GET', body, schema }) => {
        if (path === '/api/account/glossary') calls.push({ method, body })
        return schema.parse({ success: true, words: 'Klaro', mayChange, moduleId: 'm1', run: 2 })
      }
      const module = { ...makeModuleAnswer().module, organization: 'active' as const }
      const { user } = renderApp(<TranscriptionSettingsButton module={module} />, { callApi })
      await user.click(screen.getByRole('button', { name: 'Language and glossary' }))
      const field = await screen.findByLabelText('Glossary of your organization')
      expect(field).toHaveValue('Klaro')
      await user.type(field, ', spindle = husillo (es)')
      await user.click(screen.getByRole('button', { name: 'Save' }))
      expect(await screen.findByText('Saved')).toBeInTheDocument()
      const put = { method: 'PUT', body: { words: 'Klaro, spindle = husillo (es)' } }
      expect(calls.filter(({ method }) => method === 'PUT')).toEqual(mayChange ? [put] : [])
    },
  )

  it('makes the module again from the start when that is asked for', async () => {
    const { user, calls } = await open({ glossary: 'tupia' })
    await user.clear(screen.getByLabelText('Glossary'))
    await user.click(screen.getByRole('button', { name: 'Save and reprocess' }))
    expect(await screen.findByText('Retry initiated! Check back in a few minutes.')).toBeInTheDocument()
    expect(calls).toEqual([
      { name: PATCH, body: { language: null, glossary: '' } },
      { name: AGAIN, body: { from: 'start' } },
    ])
  })

  it('has another audio track transcribed, in the language that is spoken there', async () => {
    const track = { language: 'de', name: null, isPlayed: true, isTranscribed: true }
    const audioTracks = [
      { ...track, trackId: 1 },
      { trackId: 7, language: 'en', name: 'Director', isPlayed: false, isTranscribed: false },
    ]
    const { user, calls } = await open({ language: 'de', audioTracks })
    const field = screen.getByLabelText('Audio track')
    expect(field).toHaveDisplayValue('Chosen by Adapt')
    expect(field).toHaveAccessibleDescription(/processed again/)
    expect(screen.getByRole('option', { name: 'German (in use)' })).toBeInTheDocument()
    await user.selectOptions(field, 'English – Director')
    expect(screen.getByLabelText('Spoken language')).toHaveDisplayValue('Auto-detect')
    // Without a new transcript it would do nothing.
    expect(screen.queryByRole('button', { name: 'Save' })).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Save and reprocess' }))
    await waitFor(() => expect(calls).toHaveLength(2))
    expect(calls).toEqual([
      { name: PATCH, body: { language: null, glossary: '', audioTrack: 7 } },
      { name: AGAIN, body: { from: 'start' } },
    ])
  })

  it.each([
    [PATCH, 'Failed to save the settings'],
    [AGAIN, 'Failed to retry module'],
  ])('shows an error when %s fails, and keeps what was typed', async (name, text) => {
    const { user } = await open({}, { [name]: busy })
    await user.type(screen.getByLabelText('Glossary'), 'Fräse')
    await user.click(screen.getByRole('button', { name: 'Save and reprocess' }))
    expect(await screen.findByText(text)).toBeInTheDocument()
    expect(screen.getByLabelText('Glossary')).toHaveValue('Fräse')
  })

  it('offers no new transcription where captions are the transcript', async () => {
    const track = { language: 'de', name: null, isPlayed: true, isTranscribed: false }
    const audioTracks = [
      { ...track, trackId: 1 },
      { ...track, trackId: 2 },
    ]
    await open({ transcriptSource: 'captions', audioTracks })
    expect(screen.queryByRole('button', { name: 'Save and reprocess' })).toBeNull()
    expect(screen.queryByLabelText('Audio track')).toBeNull()
    expect(screen.getByText(/comes from captions/)).toBeVisible()
  })
})
