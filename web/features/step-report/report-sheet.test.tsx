import { fireEvent, render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { type FilledReport, type ReportOutcome, ReportSheet } from './report-sheet.tsx'

const sent: FilledReport[] = []
let outcome: ReportOutcome

beforeEach(() => {
  sent.length = 0
  outcome = 'sent'
  // jsdom has dialogs that cannot be opened.
  HTMLDialogElement.prototype.showModal = function show(this: HTMLDialogElement) {
    this.open = true
  }
  HTMLDialogElement.prototype.close = function close(this: HTMLDialogElement) {
    this.open = false
    this.dispatchEvent(new Event('close'))
  }
})

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

function open(onClose = vi.fn()) {
  const onSend = async (report: FilledReport) => {
    sent.push(report)
    return outcome
  }
  render(<ReportSheet number={2} title="Put the roll in" onSend={onSend} onClose={onClose} />)
  return { user: userEvent.setup(), onClose }
}

it('asks what it is first, and sends it with a line', async () => {
  const { user, onClose } = open()
  const kinds = screen.getAllByRole('button', { pressed: false }).map(({ textContent }) => textContent)
  expect(kinds).toEqual(['Dangerous', 'Wrong', 'Unclear', 'Different here'])
  await user.type(screen.getByLabelText('In one line (optional)'), 'It turns left.{Enter}')
  expect(sent).toEqual([])
  expect(screen.getByRole('alert')).toHaveTextContent('First choose what is wrong.')
  await user.click(screen.getByRole('button', { name: 'Wrong' }))
  expect(screen.queryByRole('alert')).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Send' }))
  expect(sent).toEqual([{ kind: 'wrong', text: 'It turns left.', photo: null }])
  expect(await screen.findByText('Thank you')).toBeVisible()
  expect(screen.getByText(/you read it here at the step/)).toBeVisible()
  await user.click(screen.getAllByRole('button', { name: 'Close' })[1] as HTMLElement)
  expect(onClose).toHaveBeenCalledOnce()
})

it.each([
  ['waiting', /^Adapt cannot be reached right now.*kept on this device and sent later/],
  ['limited', /^Your report cannot be taken right now.*kept on this device and sent later/],
] as const)('says why a report is %s', async (kept, sentence) => {
  outcome = kept
  const { user } = open()
  await user.click(screen.getByRole('button', { name: 'Dangerous' }))
  await user.click(screen.getByRole('button', { name: 'Send' }))
  expect(await screen.findByText(sentence)).toBeVisible()
})

it.each([
  ['refused', /was not accepted and is not kept/],
  ['unkept', /has not been sent, and this device cannot keep it/],
] as const)('keeps the form of a report that is %s, to be sent again', async (failed, sentence) => {
  outcome = failed
  const { user } = open()
  await user.click(screen.getByRole('button', { name: 'Dangerous' }))
  await user.type(screen.getByLabelText('In one line (optional)'), 'It falls.')
  await user.click(screen.getByRole('button', { name: 'Send' }))
  expect(await screen.findByRole('alert')).toHaveTextContent(sentence)
  outcome = 'sent'
  await user.click(screen.getByRole('button', { name: 'Send' }))
  expect(await screen.findByText('Thank you')).toBeVisible()
  expect(sent.map(({ text }) => text)).toEqual(['It falls.', 'It falls.'])
})

it('takes a photo of the camera, shows it, and says what cannot be read', async () => {
  let picture: object | null = { width: 40, height: 30, close: () => {} }
  vi.stubGlobal('createImageBitmap', async () => picture ?? Promise.reject(new Error('no picture')))
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue({ drawImage: () => {} } as never)
  vi.spyOn(HTMLCanvasElement.prototype, 'toBlob').mockImplementation((take) =>
    take(new Blob(['drawn'], { type: 'image/webp' })),
  )
  const { user } = open()
  const field = () => screen.getByLabelText('Add a photo')
  expect(field()).toHaveAttribute('capture', 'environment')
  const choose = () => fireEvent.change(field(), { target: { files: [new File(['photo'], 'a.jpg')] } })
  choose()
  expect(await screen.findByRole('img', { name: 'Your photo' })).toHaveAttribute(
    'src',
    `data:image/webp;base64,${btoa('drawn')}`,
  )
  expect(screen.getByRole('button', { name: 'Remove the photo' })).toHaveFocus()
  await user.click(screen.getByRole('button', { name: 'Remove the photo' }))
  expect(field()).toHaveFocus()
  picture = null
  choose()
  expect(await screen.findByRole('alert')).toHaveTextContent('This photo cannot be read.')
  picture = { width: 40, height: 30, close: () => {} }
  choose()
  await screen.findByRole('img', { name: 'Your photo' })
  await user.click(screen.getByRole('button', { name: 'Unclear' }))
  await user.click(screen.getByRole('button', { name: 'Send' }))
  expect(sent).toEqual([{ kind: 'unclear', text: '', photo: btoa('drawn') }])
})

it('waits for a photo that is still being drawn, and takes the last of two quick choices', async () => {
  const drawn: ((picture: object) => void)[] = []
  vi.stubGlobal('createImageBitmap', () => new Promise((resolve) => drawn.push(resolve)))
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue({ drawImage: () => {} } as never)
  vi.spyOn(HTMLCanvasElement.prototype, 'toBlob').mockImplementation(function write(this: HTMLCanvasElement, take) {
    take(new Blob([`${this.width} wide`], { type: 'image/webp' }))
  })
  const { user } = open()
  await user.click(screen.getByRole('button', { name: 'Dangerous' }))
  for (const name of ['first.jpg', 'last.jpg'])
    fireEvent.change(screen.getByLabelText('Add a photo'), { target: { files: [new File(['photo'], name)] } })
  await user.click(screen.getByRole('button', { name: 'Send' }))
  await user.type(screen.getByLabelText('In one line (optional)'), '{Enter}')
  expect(sent).toEqual([])
  drawn[1]?.({ width: 40, height: 30, close: () => {} })
  expect(await screen.findByRole('img', { name: 'Your photo' })).toBeVisible()
  drawn[0]?.({ width: 20, height: 30, close: () => {} })
  await user.click(screen.getByRole('button', { name: 'Send' }))
  expect(sent).toEqual([{ kind: 'dangerous', text: '', photo: btoa('40 wide') }])
})
