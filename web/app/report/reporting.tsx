import type { ReactNode } from 'react'
import { createStore } from 'zustand/vanilla'
import { makeRandomId } from '#web/features/learning/learner-id.ts'
import { openReportSheet } from '#web/features/step-report/report-sheet.tsx'
import { SettledNote, type SettledReport, StepFlag } from '#web/features/step-report/step-flag.tsx'
import { useStore } from '#web/lib/use-store.ts'
import {
  type Delivery,
  forgetReported,
  readReported,
  StepReportOutbox,
  type WaitingReport,
} from './step-report-outbox.ts'

/** A step as its flag names it. */
interface FlaggedStep {
  id: string
  title: string
}

/** What the steps of a training have where learners report from them. */
export interface Reporting {
  /** A flag beside the title of a step, and below it what the device reads once a report of its own is settled. */
  show: (step: FlaggedStep, number: number) => { badge: ReactNode; after: ReactNode }
  /** Opens the sheet of a step. */
  report: (step: FlaggedStep, number: number) => void
  /** Sends what earlier pages have left. @returns ends that */
  open: () => () => void
}

interface ReportingDeps {
  moduleId: string
  who: string
  /** Never rejects. */
  send: (report: WaitingReport) => Promise<Delivery>
  /** Asks which of some reports are settled. Never rejects; none where there is no answer. */
  askSettled: (path: string) => Promise<readonly Omit<SettledReport, 'stepId'>[]>
}

/** Lets learners report from the steps of a training, and shows them what has become of it. */
export function openReporting({ moduleId, who, send, askSettled }: ReportingDeps): Reporting {
  const outbox = new StepReportOutbox({ who, send })
  const settled = createStore((): readonly SettledReport[] => [])

  async function loadSettled() {
    const reported = new Map(readReported(moduleId).map(({ id, stepId }) => [id, stepId]))
    if (reported.size === 0) return
    const found = await askSettled(settledPath(moduleId, [...reported.keys()]))
    settled.setState(
      found.map((report) => ({ ...report, stepId: reported.get(report.id) ?? '' })),
      true,
    )
  }
  function hide({ id }: SettledReport) {
    forgetReported(moduleId, id)
    settled.setState((reports) => reports.filter((each) => each.id !== id), true)
  }
  function report({ id: stepId, title }: FlaggedStep, number: number) {
    const place = { id: makeRandomId(), moduleId, stepId }
    openReportSheet({ number, title, onSend: (filled) => outbox.add(place, filled) })
  }
  function Notes({ stepId }: { stepId: string }) {
    const ofStep = useStore(settled).filter((each) => each.stepId === stepId)
    return ofStep.map((each) => <SettledNote key={each.id} {...each} onHide={() => hide(each)} />)
  }
  return {
    show: (step, number) => ({
      badge: <StepFlag number={number} title={step.title} onPress={() => report(step, number)} />,
      after: <Notes stepId={step.id} />,
    }),
    report,
    open: () => {
      void loadSettled()
      return outbox.open()
    },
  }
}

const REPORTS_PATH = '/api/step-reports'

export function stepReportsPath(moduleId: string): string {
  return `${REPORTS_PATH}/${encodeURIComponent(moduleId)}`
}

function settledPath(moduleId: string, ids: readonly string[]): string {
  return `${stepReportsPath(moduleId)}/settled?ids=${ids.join(',')}`
}

/** What the server gets of a report that has waited. */
export function bodyOf({ id, stepId, kind, text, photo }: WaitingReport) {
  return { id, stepId, kind, text, photo }
}
