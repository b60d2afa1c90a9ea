import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { SIGNED_PHOTOS_MAX, SignOff } from '#contract/records/sign-off.ts'
import { makeStep } from '#contract/testing/examples.ts'
import { SIGN_OFF } from '#contract/testing/sign-off.ts'
import { renderApp } from '#web/testing/render-app.tsx'
import { SignOffForm } from './sign-off-form.tsx'

const STEPS = Array.from({ length: SIGNED_PHOTOS_MAX + 1 }, (_, index) => makeStep(`s${index}`, index * 10))
const DATA = { ...SIGN_OFF, steps: STEPS, asked: STEPS.map(({ id }) => id) }

it('offers no more photos than a signature may have, and says so', async () => {
  const steps = STEPS.map(({ id: step }, index) => {
    const photo = index.toString(16).padStart(64, '0')
    return { step, isShown: true, note: '', ...(index < SIGNED_PHOTOS_MAX && { photo }) }
  })
  const sent = SignOff.parse({ version: DATA.version.hash, seq: DATA.seq, steps, name: 'Bo', meaning: 'Seen.' })
  const { user } = renderApp(
    <SignOffForm
      subject={{ personId: 'bob', moduleId: 'fire' }}
      data={DATA}
      sent={sent}
      isBusy={false}
      onSign={() => {}}
      onClose={() => {}}
    />,
  )
  const most = /A signature can have at most 50 photos\./
  expect(screen.getByText(most)).toBeVisible()
  expect(screen.queryByLabelText('Add a photo')).toBeNull()
  await user.click(screen.getAllByText('Remove the photo')[0] as HTMLElement)
  expect(screen.getAllByLabelText('Add a photo')).toHaveLength(2)
  expect(screen.queryByText(most)).toBeNull()
})
