import { z } from 'zod'
import { WEBHOOK_URL_MAX_CHARS } from '../limits.ts'
import { Success } from '../problem.ts'
import { PersonEmail } from './people.ts'

/** Where events of an organization are sent to, and how that goes. Times are ISO 8601, UTC. */
export const Webhook = z.object({
  url: z.string(),
  /** When an event was last taken; null before the first. */
  takenAt: z.string().nullable(),
  /** When one last was not, and why: an HTTP status, or one of `timeout`, `unreachable` and `refused`. */
  failure: z.object({ at: z.string(), reason: z.string() }).nullable(),
  /** Since when nothing is sent until somebody has it tried again; null while events are sent. */
  stoppedAt: z.string().nullable(),
  /** Events that wait to be sent. */
  waiting: z.number().int(),
})
export type Webhook = z.infer<typeof Webhook>

/** Answer of `GET /api/notifications`, and of calls that change something of it. */
export const NotificationsAnswer = Success.extend({
  /** Whether this Adapt can send mail. */
  canMail: z.boolean(),
  /** Whether people with an address get mail: reminders, and answers of the trainer. */
  sendsReminders: z.boolean(),
  /** Who gets each checkpoint of the training records; null for nobody. */
  checkpointEmail: z.string().nullable(),
  /** Null while no address is set. */
  webhook: Webhook.nullable(),
  /** Whether there is a key with which programs read the matrix. */
  hasMatrixKey: z.boolean(),
})
export type NotificationsAnswer = z.infer<typeof NotificationsAnswer>

/** Body of `PATCH /api/notifications`. What is left out stays. */
export const NotificationsPatch = z
  .strictObject({ sendsReminders: z.boolean(), checkpointEmail: PersonEmail.nullable() })
  .partial()
export type NotificationsPatch = z.infer<typeof NotificationsPatch>

/** Body of `PUT /api/notifications/webhook`: an https address of the public internet. It gets a new secret each time. */
export const WebhookEdit = z.strictObject({ url: z.url().max(WEBHOOK_URL_MAX_CHARS) })

/** Answer of `PUT /api/notifications/webhook`. */
export const WebhookSecretAnswer = Success.extend({
  /** Signs what is sent (standardwebhooks.com); shown this once. */
  secret: z.string(),
})
export type WebhookSecretAnswer = z.infer<typeof WebhookSecretAnswer>

/** Answer of `PUT /api/notifications/matrix-key`. */
export const MatrixKeyAnswer = Success.extend({
  /** Reads `GET /api/matrix` as a bearer token; shown this once. */
  key: z.string(),
})
export type MatrixKeyAnswer = z.infer<typeof MatrixKeyAnswer>
