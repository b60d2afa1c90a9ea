import { render, screen } from '@testing-library/react'
import { toast } from 'sonner'
import { afterEach, expect, it } from 'vitest'
import { Toaster } from './toast.tsx'

afterEach(() => void toast.dismiss())

it('interrupts with a failure, and says the rest when there is a pause', async () => {
  render(<Toaster />)
  toast.success('Saved', { duration: Number.POSITIVE_INFINITY })
  toast.error('Could not be deleted', { duration: Number.POSITIVE_INFINITY })
  expect(await screen.findByRole('status')).toHaveTextContent('Saved')
  expect(await screen.findByRole('alert')).toHaveTextContent('Could not be deleted')
})
