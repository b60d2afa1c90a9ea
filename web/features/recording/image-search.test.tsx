import { act, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { makeStep } from '#contract/testing/examples.ts'
import type { CallApi } from '#web/lib/api.ts'
import { renderApp } from '#web/testing/render-app.tsx'
import { ImageSearch } from './image-search.tsx'

const POSTER = '/api/modules/m1/images/poster'
const NAME = 'Find the steps by their images'

function open(image: string | null, callApi?: CallApi) {
  const search = (
    <ImageSearch
      module={{ steps: [makeStep('a', 0, { image })], posterUrl: POSTER }}
      recording={{ moduleId: 'm2', durationS: 100 }}
      onFound={() => undefined}
    />
  )
  return renderApp(search, { elsewhere: { '/elsewhere': 'Elsewhere' }, ...(callApi && { callApi }) })
}

it.each([null, 'poster'])('is not offered where no step has an image of its own, but %s', (image) => {
  open(image)
  expect(screen.queryByRole('button', { name: NAME })).toBeNull()
})

it('can be tried again after it failed, and ends with the page', async () => {
  const signals: (AbortSignal | undefined)[] = []
  const { user, router } = open('step-0', ({ signal }) => {
    signals.push(signal)
    return signals.length === 1 ? Promise.reject(new Error('Not now')) : new Promise<never>(() => undefined)
  })
  await user.click(await screen.findByRole('button', { name: NAME }))
  expect(await screen.findByText('This browser could not look at the video')).toBeVisible()
  await user.click(await screen.findByRole('button', { name: NAME }))
  expect(await screen.findByRole('progressbar')).toHaveAttribute('aria-valuenow', '0')
  expect(signals.map((signal) => signal?.aborted)).toEqual([false, false])
  await act(() => router.navigate('/elsewhere'))
  expect(await screen.findByText('Elsewhere')).toBeVisible()
  expect(signals[1]?.aborted).toBe(true)
})
