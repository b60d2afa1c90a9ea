import { screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { SIGN_OFF } from '#contract/testing/sign-off.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { fakeApi, renderApp } from '#web/testing/render-app.tsx'
import { SignOffPage } from './sign-off-page.tsx'

function open(answers: Parameters<typeof fakeApi>[0]) {
  const { callApi } = fakeApi(answers)
  const elsewhere = { '/team/matrix': 'The matrix' }
  return renderApp(<SignOffPage />, {
    callApi,
    elsewhere,
    at: '/team/sign-off/bob/fire',
    path: '/team/sign-off/:personId/:moduleId',
  })
}

it('signs off the person and the training of its address', async () => {
  const sent: unknown[] = []
  const { user } = open({
    'GET /api/sign-off/bob/fire': () => SIGN_OFF,
    'POST /api/sign-off/bob/fire': (body) => {
      sent.push(body)
      return { ...SIGN_OFF, asked: [] }
    },
    'GET /api/matrix': () => ({}),
  })
  expect(await screen.findByRole('heading', { name: 'Sign off Bob' })).toBeVisible()
  expect(screen.getByText('Fire drill, version 1')).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'All steps were shown' }))
  await user.type(screen.getByRole('textbox', { name: 'Your name' }), 'Bo')
  await user.click(screen.getByRole('button', { name: 'Sign' }))
  expect(await screen.findByText('The matrix')).toBeVisible()
  expect(screen.getByText('Bob is signed off')).toBeVisible()
  expect(sent).toMatchObject([{ name: 'Bo', steps: [{ step: 's1', isShown: true }, { step: 's2' }] }])
})

it('keeps what was filled in where the signature is not taken', async () => {
  const { user } = open({
    'GET /api/sign-off/bob/fire': () => SIGN_OFF,
    'POST /api/sign-off/bob/fire': () => {
      throw new ApiError({ status: 403, code: 'reverification_needed', message: 'Your password is asked for' })
    },
  })
  await user.click(await screen.findByRole('button', { name: 'All steps were shown' }))
  await user.type(screen.getByRole('textbox', { name: 'Your name' }), 'Bo')
  await user.click(screen.getByRole('button', { name: 'Sign' }))
  expect(await screen.findByText('Your password is asked for')).toBeVisible()
  expect(screen.getByRole('textbox', { name: 'Your name' })).toHaveValue('Bo')
})

it('opens nothing for those who sign nothing off', async () => {
  open({
    'GET /api/sign-off/bob/fire': () => {
      throw new ApiError({ status: 404, code: 'not_found', message: 'There is nothing that you sign off.' })
    },
  })
  expect(await screen.findByRole('heading', { name: 'Failed to load this training' })).toBeVisible()
  expect(screen.getByText('There is nothing that you sign off.')).toBeVisible()
})

it('adds a photo to a step, shows it, and signs with it until it is removed', async () => {
  vi.stubGlobal('createImageBitmap', async () => ({ width: 40, height: 30, close: () => {} }))
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue({ drawImage: () => {} } as never)
  const drawn = new Blob(['x'], { type: 'image/webp' })
  vi.spyOn(HTMLCanvasElement.prototype, 'toBlob').mockImplementation((take) => take(drawn))
  URL.createObjectURL = () => 'blob:photo'
  URL.revokeObjectURL = () => {}
  const hash = 'c'.repeat(64)
  const sent: unknown[] = []
  const { user } = open({
    'GET /api/sign-off/bob/fire': () => SIGN_OFF,
    'POST /api/sign-off/bob/fire/photos': () => ({ success: true, hash }),
    'POST /api/sign-off/bob/fire': (body) => {
      sent.push(body)
      throw new ApiError({ status: 403, code: 'reverification_needed', message: 'Your password is asked for' })
    },
  })
  await user.click(await screen.findByRole('button', { name: 'All steps were shown' }))
  const [first] = screen.getAllByLabelText('Add a photo')
  await user.upload(first as HTMLElement, new File(['x'], 'photo.jpg', { type: 'image/jpeg' }))
  expect(await screen.findByRole('img', { name: 'Photo of step 1' })).toHaveAttribute('src', 'blob:photo')
  expect(screen.getByRole('button', { name: 'Remove the photo' })).toHaveFocus()
  await user.type(screen.getByRole('textbox', { name: 'Your name' }), 'Bo')
  await user.click(screen.getByRole('button', { name: 'Sign' }))
  expect(await screen.findByText('Your password is asked for')).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Remove the photo' }))
  expect(screen.queryByRole('img')).toBeNull()
  expect(screen.getAllByLabelText('Add a photo')[0]).toHaveFocus()
  await user.click(screen.getByRole('button', { name: 'Sign' }))
  await expect.poll(() => sent).toHaveLength(2)
  const shown = { isShown: true, note: '' }
  expect(sent).toMatchObject([
    { steps: [{ step: 's1', ...shown, photo: hash }, { step: 's2' }] },
    { steps: [{ step: 's1' }, { step: 's2' }] },
  ])
  expect(JSON.stringify(sent[1])).not.toContain(hash)
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

it('offers a photo of a shown step also where another one is asked for again', async () => {
  const { user } = open({ 'GET /api/sign-off/bob/fire': () => SIGN_OFF })
  await user.click(await screen.findByRole('button', { name: 'All steps were shown' }))
  await user.click(screen.getAllByRole('radio', { name: 'Show again' })[1] as HTMLElement)
  expect(screen.getAllByLabelText('Add a photo')).toHaveLength(2)
})
