import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import type { VisibleSecret } from '#contract/screen.ts'
import { renderApp } from '#web/testing/render-app.tsx'
import { findPictured, type PicturedStep, VisibleSecrets } from './visible-secrets.tsx'

const KEY: VisibleSecret = { kind: 'key', startMs: 192_400, endMs: 196_000 }
const MAIL: VisibleSecret = { kind: 'email', startMs: 20_000, endMs: 21_000 }

function step(start: number, end: number, fields: Partial<PicturedStep> = {}): PicturedStep {
  return { id: `s${start}`, start, end, image: `step-${start * 1_000}`, imageAt: null, ...fields }
}

it('finds the steps whose image may show a secret', () => {
  expect(findPictured([KEY], [step(0, 180), step(180, 240), step(240, 300)])).toEqual([2])
  // The image is out of the first two thirds.
  expect(findPictured([KEY], [step(100, 200)])).toEqual([])
  expect(findPictured([KEY], [step(100, 200, { imageAt: 195 }), step(190, 200, { imageAt: 198 })])).toEqual([1])
  expect(findPictured([KEY], [step(190, 200, { image: null }), step(190, 200, { imageAt: 'none' })])).toEqual([])
})

it('says what is visible and when, that it stays, and leads to the moment and to another image', () => {
  const props = { steps: [step(0, 180), step(180, 240)], trainingUrl: '/training/m1' }
  renderApp(<VisibleSecrets secrets={[KEY, { ...KEY, startMs: 192_900 }, MAIL]} {...props} />)
  const links = screen.getAllByRole('link')
  expect(links.map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
    ['Something that looks like an email address is visible at 00:20', '/training/m1?t=20'],
    ['Something that looks like a key is visible at 03:12', '/training/m1?t=192'],
    ['Choose another image', '/training/m1#step-1'],
    ['Choose another image', '/training/m1#step-2'],
  ])
  expect(screen.getByRole('region', { name: 'Look before you share' })).toHaveTextContent(
    'It stays in the video and in its images',
  )
  expect(screen.getByRole('link', { name: 'Choose another image of step 2' })).toBeVisible()
})

it('says nothing where nothing of the kind is visible', () => {
  renderApp(<VisibleSecrets secrets={[]} steps={[step(0, 180)]} trainingUrl="/training/m1" />)
  expect(screen.queryByRole('region', { name: 'Look before you share' })).toBeNull()
})
