import { TriangleAlert } from 'lucide-react'
import { useId } from 'react'
import { Link } from 'react-router-dom'
import type { SecretKind, VisibleSecret } from '#contract/screen.ts'
import type { Step } from '#contract/step.ts'
import * as m from '#messages'
import { formatTime } from '#web/lib/format/format-time.ts'

const SENTENCES: Record<SecretKind, (values: { time: string }) => string> = {
  password: m.secret_password_visible,
  key: m.secret_key_visible,
  token: m.secret_token_visible,
  card: m.secret_card_visible,
  email: m.secret_email_visible,
}

/** A step, as far as its image is concerned. */
export type PicturedStep = Pick<Step, 'id' | 'start' | 'end' | 'image' | 'imageAt'>

interface VisibleSecretsProps {
  secrets: readonly VisibleSecret[]
  /** In their order. */
  steps: readonly PicturedStep[]
  /** Address of the owner's page. */
  trainingUrl: string
}

/** Says before a training is shared what should perhaps stay private, and leads to each moment and image that shows it. */
export function VisibleSecrets({ secrets, steps, trainingUrl }: VisibleSecretsProps) {
  const heading = useId()
  const shown = listOnce(secrets)
  if (shown.length === 0) return null
  const pictured = findPictured(secrets, steps)
  const link = 'rounded-chip font-medium underline underline-offset-2'
  return (
    <section aria-labelledby={heading} className="rounded-card bg-warn-soft p-4 text-sm text-warn-ink">
      <h3 id={heading} className="flex items-center gap-2 font-semibold">
        <TriangleAlert aria-hidden="true" className="size-4 shrink-0" />
        {m.look_before_sharing()}
      </h3>
      <ul className="mt-2 grid max-h-40 gap-1.5 overflow-y-auto">
        {shown.map(({ kind, startMs }) => (
          <li key={`${kind}${startMs}`}>
            {/* The player reads its beginning from the address when the page is loaded. */}
            <Link reloadDocument to={`${trainingUrl}?t=${Math.floor(startMs / 1_000)}`} className={link}>
              {SENTENCES[kind]({ time: formatTime(startMs / 1_000) })}
            </Link>
          </li>
        ))}
      </ul>
      <p className="mt-2">{m.secrets_stay_in_video()}</p>
      {pictured.length > 0 && (
        <ul className="mt-2 grid max-h-40 gap-1.5 overflow-y-auto">
          {pictured.map((number) => (
            <li key={number} className="flex flex-wrap gap-x-2">
              <span>{m.image_of_step_may_show_it({ number })}</span>
              <Link
                to={`${trainingUrl}#step-${number}`}
                aria-label={m.choose_another_image_of_step({ number })}
                className={link}
              >
                {m.choose_another_image()}
              </Link>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

/** Each kind once a second, in order of time. */
function listOnce(secrets: readonly VisibleSecret[]): VisibleSecret[] {
  const once = new Map(secrets.map((secret) => [`${secret.kind} ${Math.floor(secret.startMs / 1_000)}`, secret]))
  return [...once.values()].toSorted((left, right) => left.startMs - right.startMs)
}

/** The image that Adapt takes is out of this share of its step. */
const PICTURED_SHARE = 2 / 3
/** A frame is decoded within so much of the moment that was asked for. */
const FRAME_MS = 500

/** Numbers of the steps whose image may show a secret, from 1. */
export function findPictured(secrets: readonly VisibleSecret[], steps: readonly PicturedStep[]): number[] {
  return steps.flatMap((step, index) => {
    const span = findPicturedSpan(step)
    if (span === null) return []
    const isShown = secrets.some(({ startMs, endMs }) => startMs <= span.toMs && endMs >= span.fromMs)
    return isShown ? [index + 1] : []
  })
}

function findPicturedSpan({ start, end, image, imageAt }: PicturedStep) {
  if (image === null || imageAt === 'none') return null
  if (imageAt === null) return { fromMs: start * 1_000, toMs: (start + (end - start) * PICTURED_SHARE) * 1_000 }
  return { fromMs: imageAt * 1_000 - FRAME_MS, toMs: imageAt * 1_000 + FRAME_MS }
}
