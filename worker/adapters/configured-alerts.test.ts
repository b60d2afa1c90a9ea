import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import type { HealthAlert } from '#worker/ports/alert.ts'
import { configuredAlerts } from './configured-alerts.ts'

describe('the configured receiver', () => {
  const bindings = { ...env, ENVIRONMENT: 'production', APP_ORIGINS: 'https://adapt.example.com,https://b.example.com' }

  it('is none without an address', () => {
    expect(configuredAlerts({ ...bindings, ALERT_WEBHOOK_URL: '' })).toBeNull()
  })

  it('is sent the page that shows what is bad', () => {
    const alerts = configuredAlerts({ ...bindings, ALERT_WEBHOOK_URL: 'https://hooks.example.com/x' })
    expect(alerts).toMatchObject({ environment: 'production', debugUrl: 'https://adapt.example.com/debug' })
  })

  it('is sent nothing where its address is not https', async () => {
    const asked = vi.spyOn(globalThis, 'fetch')
    for (const url of ['http://hooks.example.com', 'hooks.example.com']) {
      const alerts = configuredAlerts({ ...bindings, ALERT_WEBHOOK_URL: url })
      await expect(alerts?.send({} as HealthAlert)).rejects.toThrow('ALERT_WEBHOOK_URL is no https address')
    }
    expect(asked).not.toHaveBeenCalled()
    asked.mockRestore()
  })
})
