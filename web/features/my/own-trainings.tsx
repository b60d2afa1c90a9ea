import { CalendarPlus, CircleCheck, UserRoundCheck } from 'lucide-react'
import { toast } from 'sonner'
import type { OwnTraining, OwnTrainingsAnswer } from '#contract/team/my-trainings.ts'
import * as m from '#messages'
import { saveFile } from '#web/lib/download.ts'
import { useFocusWhenFewer } from '#web/lib/use-focus-when-fewer.ts'
import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { OwnTrainingCard } from './own-training-card.tsx'

interface OwnTrainingsProps {
  own: OwnTrainingsAnswer
  /** Whether the page of a training can be reached. */
  canOpen: (training: OwnTraining) => boolean
  /** Address at which a supervisor signs it off. */
  signOffLinkOf: (training: OwnTraining) => string
  onOpen: (training: OwnTraining) => void
  /** Somebody else is here. */
  onNext: () => void
}

/** What somebody is to be trained on: what there is to do, and what is done. */
export function OwnTrainings({ own, canOpen, signOffLinkOf, onOpen, onNext }: OwnTrainingsProps) {
  const { personId, name, isShared, trainings, confirmation } = own
  const open = trainings.filter(({ isOpen }) => isOpen)
  const done = trainings.filter(({ isOpen }) => !isOpen)
  // A button that has confirmed goes, and takes the focus along.
  const unconfirmed = open.filter(({ confirmedAt }) => confirmedAt === null).length
  const toDo = useFocusWhenFewer(unconfirmed, { preventScroll: true })
  return (
    <>
      <div className="mb-6 flex flex-wrap items-start justify-between gap-3">
        <div className="min-w-0">
          <h1 className="text-3xl font-semibold">{m.my_trainings()}</h1>
          <p className="mt-1 text-ink-soft wrap-anywhere">
            <bdi>{name}</bdi>
          </p>
        </div>
        <Button variant={isShared ? 'secondary' : 'ghost'} onClick={onNext}>
          <UserRoundCheck aria-hidden="true" className="size-4" />
          {isShared ? m.my_next_person() : m.my_not_you()}
        </Button>
      </div>
      {trainings.length === 0 ? (
        <Notice icon={CircleCheck} level={2} title={m.my_nothing_assigned()} />
      ) : (
        <>
          <h2 ref={toDo} tabIndex={-1} className="mb-3 text-lg font-semibold focus:outline-none">
            {m.my_to_do()}
          </h2>
          {open.length === 0 ? (
            <p className="text-ink-soft">{m.my_all_done()}</p>
          ) : (
            <Cards trainings={open} {...{ personId, confirmation, canOpen, signOffLinkOf, onOpen }} />
          )}
          {done.length > 0 && (
            <>
              <h2 className="mt-8 mb-3 text-lg font-semibold">{m.my_done()}</h2>
              <Cards trainings={done} {...{ personId, confirmation, canOpen, signOffLinkOf, onOpen }} />
            </>
          )}
          {!isShared && <CalendarButton trainings={trainings} />}
        </>
      )}
    </>
  )
}

interface CardsProps extends Pick<OwnTrainingsProps, 'canOpen' | 'signOffLinkOf' | 'onOpen'> {
  personId: string
  trainings: readonly OwnTraining[]
  confirmation: string
}

function Cards({ trainings, personId, confirmation, canOpen, signOffLinkOf, onOpen }: CardsProps) {
  return (
    <ul className="grid grid-cols-1 gap-3">
      {trainings.map((training) => (
        <li key={training.moduleId}>
          <OwnTrainingCard
            {...{ personId, training, confirmation, onOpen }}
            canOpen={canOpen(training)}
            signOffLink={signOffLinkOf(training)}
          />
        </li>
      ))}
    </ul>
  )
}

function CalendarButton({ trainings }: { trainings: readonly OwnTraining[] }) {
  const hasDates = trainings.some(({ isOpen, dueAt, expiresAt }) => (isOpen ? dueAt : expiresAt) !== null)
  if (!hasDates) return null
  async function save() {
    try {
      const { writeCalendar } = await import('./calendar-file.ts')
      const text = writeCalendar(trainings, window.location.origin)
      saveFile(new Blob([text], { type: 'text/calendar;charset=utf-8' }), 'adapt.ics')
    } catch {
      toast.error(m.adapt_cannot_be_reached_check())
    }
  }
  return (
    <Button variant="ghost" size="small" className="mt-6" onClick={() => void save()}>
      <CalendarPlus aria-hidden="true" className="size-4" />
      {m.my_calendar_file()}
    </Button>
  )
}
