import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { BadgeCheck, CircleCheck, Clock, RotateCcw } from 'lucide-react'
import type { ReactNode } from 'react'
import { toast } from 'sonner'
import { linkIdIn } from '#contract/share-page.ts'
import type { OwnTraining } from '#contract/team/my-trainings.ts'
import * as m from '#messages'
import { formatDate } from '#web/lib/format/format-date.ts'
import { useFocusWhenFewer } from '#web/lib/use-focus-when-fewer.ts'
import { Button, buttonClass } from '#web/ui/button.tsx'
import { Badge, Card } from '#web/ui/card.tsx'
import { AskedSteps } from './asked-steps.tsx'
import { confirmedQuery, confirmTraining, describeRefusal, OWN_KEY } from './my-queries.ts'
import { SignOffCode } from './sign-off-code.tsx'

interface OwnTrainingCardProps {
  personId: string
  training: OwnTraining
  /** What the person confirms. */
  confirmation: string
  /** Whether its page can be reached, which without a network only some can. */
  canOpen: boolean
  /** Address at which a supervisor signs it off. */
  signOffLink: string
  onOpen: (training: OwnTraining) => void
}

/** A training with what is left to do for it. */
export function OwnTrainingCard({
  personId,
  training,
  confirmation,
  canOpen,
  signOffLink,
  onOpen,
}: OwnTrainingCardProps) {
  const { title, path, isOpen, startedAt, rule } = training
  const isLeft = isOpen && !isWatched(training)
  const begin = startedAt === null ? m.my_begin() : m.my_go_on()
  return (
    <Card className="p-4 sm:p-5">
      <h3 className="font-semibold wrap-anywhere">
        <bdi>{title}</bdi>
      </h3>
      <div className="mt-2 flex flex-wrap items-center gap-2">
        {isOpen ? <OpenFacts training={training} /> : <DoneFacts training={training} />}
      </div>
      {isAskedAgain(training) && <AskedSteps linkId={linkIdIn(path)} />}
      <div className="mt-4 flex flex-wrap items-center gap-2">
        {canOpen ? (
          <a
            href={path}
            onClick={() => onOpen(training)}
            className={buttonClass({ variant: isLeft && !mayConfirm(training) ? 'primary' : 'secondary' })}
          >
            {isLeft ? begin : m.my_look_again()}
          </a>
        ) : (
          <p className="text-sm text-ink-soft">{m.my_needs_network()}</p>
        )}
      </div>
      {isOpen && mayConfirm(training) && <Confirmation personId={personId} training={training} words={confirmation} />}
      {isOpen && rule.signedOff && <SignOffCode link={signOffLink} />}
    </Card>
  )
}

/** Some steps of it, after they were done once. */
function isAskedAgain({ isOpen, refusedSteps, changedSteps }: OwnTraining): boolean {
  return isOpen && (refusedSteps > 0 || changedSteps !== null)
}

/** Nothing of it is left to be seen. */
function isWatched(training: OwnTraining): boolean {
  return training.reachedAt !== null && !isAskedAgain(training)
}

/** All that comes before is there. */
function mayConfirm({ rule, reachedAt, confirmedAt }: OwnTraining): boolean {
  return rule.confirmed && confirmedAt === null && (!rule.reached || reachedAt !== null)
}

function isPast(time: string): boolean {
  return Date.parse(time) < Date.now()
}

function OpenFacts({ training }: { training: OwnTraining }) {
  const { dueAt, rule, reachedAt, confirmedAt, refusedSteps, changedSteps } = training
  const isOverdue = dueAt !== null && isPast(dueAt)
  const waitsForSignOff =
    rule.signedOff && (!rule.reached || reachedAt !== null) && (!rule.confirmed || confirmedAt !== null)
  return (
    <>
      {dueAt !== null && (
        <Badge tone={isOverdue ? 'danger' : 'neutral'}>
          <Clock aria-hidden="true" className="size-3.5" />
          {isOverdue ? m.was_due_on({ date: formatDate(dueAt) }) : m.due_on({ date: formatDate(dueAt) })}
        </Badge>
      )}
      {refusedSteps > 0 && <Badge tone="warn">{m.my_steps_again({ count: refusedSteps })}</Badge>}
      {changedSteps !== null && <Badge tone="warn">{m.my_steps_changed({ count: changedSteps })}</Badge>}
      {reachedAt !== null && <Met>{m.my_steps_watched()}</Met>}
      {confirmedAt !== null && <Met>{m.my_confirmed()}</Met>}
      {waitsForSignOff && <Badge>{m.my_waits_for_sign_off()}</Badge>}
    </>
  )
}

function Met({ children }: { children: ReactNode }) {
  return (
    <Badge tone="brand">
      <CircleCheck aria-hidden="true" className="size-3.5" />
      {children}
    </Badge>
  )
}

function DoneFacts({ training: { doneAt, expiresAt } }: { training: OwnTraining }) {
  return (
    <>
      <Badge tone="brand">
        <BadgeCheck aria-hidden="true" className="size-3.5" />
        {m.my_done_on({ date: formatDate(doneAt) })}
      </Badge>
      {expiresAt !== null && (
        <Badge>
          <RotateCcw aria-hidden="true" className="size-3.5" />
          {m.my_again_by({ date: formatDate(expiresAt) })}
        </Badge>
      )}
    </>
  )
}

interface ConfirmationProps {
  personId: string
  training: OwnTraining
  words: string
}

function Confirmation({ personId, training, words }: ConfirmationProps) {
  const queryClient = useQueryClient()
  const linkId = linkIdIn(training.path)
  const confirmed = confirmedQuery(personId)
  const confirm = useMutation({
    mutationFn: () => confirmTraining({ linkId, personId, version: training.version }),
    // Without a network the page itself does not come.
    onSettled: (outcome) =>
      queryClient.invalidateQueries({ queryKey: outcome === 'kept' ? confirmed.queryKey : OWN_KEY }),
    onError: (error) => toast.error(m.change_failed(), { description: describeRefusal(error) }),
  })
  const { data: waiting } = useQuery(confirmed)
  const isKept = waiting?.some((each) => each.linkId === linkId && each.version === training.version) === true
  // The button goes once it has done its work; what it has done takes its place. What was kept before takes no focus.
  const outcome = useFocusWhenFewer<HTMLParagraphElement>(waiting === undefined || isKept ? 0 : 1)
  return (
    <div className="mt-4 rounded-control bg-sunken p-4">
      <p className="mb-3 text-sm">{words}</p>
      {isKept ? (
        <p ref={outcome} tabIndex={-1} className="flex items-center gap-1.5 text-sm font-medium focus:outline-none">
          <CircleCheck aria-hidden="true" className="size-4 shrink-0" />
          {m.my_confirmed_kept()}
        </p>
      ) : (
        <Button isBusy={confirm.isPending} onClick={() => confirm.mutate()}>
          {m.my_confirm()}
        </Button>
      )}
    </div>
  )
}
