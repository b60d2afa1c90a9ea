import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { NoticeCard } from './module-watch.tsx'

function fakeNotifications(permission: NotificationPermission, answer: NotificationPermission = 'granted') {
  const fake = {
    permission,
    requestPermission: vi.fn(async () => {
      fake.permission = answer
      return answer
    }),
  }
  vi.stubGlobal('Notification', fake)
  return fake
}

const theSwitch = () => screen.getByRole('switch', { name: 'Notify me when a module is ready' })

afterEach(() => {
  vi.unstubAllGlobals()
  localStorage.clear()
})

describe('NoticeCard', () => {
  it('asks the browser for leave on a click, and never before', async () => {
    const { requestPermission } = fakeNotifications('default')
    render(<NoticeCard />)
    expect(theSwitch()).not.toBeChecked()
    expect(requestPermission).not.toHaveBeenCalled()
    await userEvent.click(theSwitch())
    expect(requestPermission).toHaveBeenCalledOnce()
    expect(theSwitch()).toBeChecked()
    await userEvent.click(theSwitch())
    expect(theSwitch()).not.toBeChecked()
    expect(requestPermission).toHaveBeenCalledOnce()
  })

  it('says that the browser refuses', async () => {
    fakeNotifications('default', 'denied')
    render(<NoticeCard />)
    await userEvent.click(theSwitch())
    expect(theSwitch()).not.toBeChecked()
    expect(screen.getByText(/Your browser blocks notifications/)).toBeVisible()
  })

  it('is not rendered where the browser has no notifications', () => {
    render(<NoticeCard />)
    expect(screen.queryByRole('switch')).toBeNull()
  })
})
