import type { AlertRun } from '#worker/domain/health/alert-of-health.ts'
import { listOrigins } from '#worker/http/headers.ts'
import type { HealthAlert } from '#worker/ports/alert.ts'
import { notTaken, postAlert } from './alert-webhook.ts'

/** How a deployment sends alerts; null while it has no address for them. */
export function configuredAlerts(env: Env): AlertRun | null {
  const url = env.ALERT_WEBHOOK_URL
  if (!url) return null
  const [origin = ''] = listOrigins(env)
  const send = async (alert: HealthAlert) => {
    if (!URL.canParse(url) || new URL(url).protocol !== 'https:')
      throw notTaken('ALERT_WEBHOOK_URL is no https address')
    await postAlert(url, alert)
  }
  return { environment: env.ENVIRONMENT, debugUrl: `${origin}/debug`, send }
}
