import { render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import { Switch } from './switch.tsx'

it('refuses presses while it is disabled, and keeps the focus', async () => {
  const user = userEvent.setup()
  const onChange = vi.fn()
  const of = (isDisabled: boolean) => (
    <Switch label="Reminders" description="By mail" isOn={false} isDisabled={isDisabled} onChange={onChange} />
  )
  const { rerender } = render(of(false))
  const reminders = screen.getByRole('switch', { name: 'Reminders' })
  await user.click(reminders)
  expect(onChange).toHaveBeenCalledExactlyOnceWith(true)
  rerender(of(true))
  expect(reminders).toHaveFocus()
  expect(reminders).toHaveAttribute('aria-disabled', 'true')
  await user.keyboard('{Enter}')
  await user.click(screen.getByText('Reminders'))
  expect(onChange).toHaveBeenCalledOnce()
})
