import type { SignOffAnswer } from '#contract/records/sign-off.ts'
import * as m from '#messages'
import { formatDate } from '#web/lib/format/format-date.ts'
import type { SignOffSubject, useSignOff } from './matrix-query.ts'
import { SignOffForm } from './sign-off-form.tsx'

interface SignOffPanelProps {
  subject: SignOffSubject
  data: SignOffAnswer
  sign: ReturnType<typeof useSignOff>
  onClose: () => void
}

/** What a person has done of a training so far, and what a supervisor says of it. */
export function SignOffPanel({ subject, data, sign, onClose }: SignOffPanelProps) {
  const { version, seq } = data
  const { variables: sent } = sign
  // What was sent and not taken is still there, unless something else is to be judged by now.
  const isSame = sent?.version === version.hash && sent.seq === seq
  return (
    <div className="grid grid-cols-1 gap-6">
      <PartsMet known={data.known} rule={data.rule} />
      {data.isMe ? (
        <p className="text-sm text-warn-ink">{m.sign_off_needs_other()}</p>
      ) : (
        <SignOffForm
          key={`${version.hash} ${seq}`}
          {...{ subject, data, onClose }}
          {...(isSame && { sent })}
          isBusy={sign.isPending}
          onSign={sign.mutate}
        />
      )}
    </div>
  )
}

/** Which parts of the rule were met, and when. */
function PartsMet({ known, rule }: Pick<SignOffAnswer, 'known' | 'rule'>) {
  const parts = [
    { isAsked: rule.reached, label: m.sign_off_reached(), met: known.reached },
    { isAsked: rule.confirmed, label: m.sign_off_confirmed(), met: known.confirmed },
    { isAsked: rule.signedOff, label: m.sign_off_signed(), met: known.signedOff },
  ].filter(({ isAsked, met }) => isAsked || met !== null)
  return (
    <section>
      <h3 className="text-sm font-semibold">{m.sign_off_parts()}</h3>
      <dl className="mt-2 grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-sm">
        {parts.map(({ label, met }) => (
          <div key={label} className="contents">
            <dt className="text-ink-soft">{label}</dt>
            <dd className="tabular-nums">
              {met === null ? m.sign_off_not_yet() : `${formatDate(met.time)} · ${m.version()} ${met.version.number}`}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
