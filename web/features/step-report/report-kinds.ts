import type { StepReportKind } from '#contract/feedback/step-report.ts'
import * as m from '#messages'

/** In the order in which they are offered. */
export const REPORT_KINDS = {
  dangerous: m.report_dangerous(),
  wrong: m.report_wrong(),
  unclear: m.report_unclear(),
  different: m.report_different(),
} as const satisfies Record<StepReportKind, string>
