import { useEffect } from 'react'
import type { Reporting } from '../report/reporting.tsx'
import { useLate } from './use-late.ts'

/**
 * Loads what learners report from the steps with, after the page.
 * @param load false where there are no reports
 */
export function useReporting(load: false | (() => Promise<Reporting>)): Reporting | null {
  const reporting = useLate(load)
  useEffect(() => reporting?.open(), [reporting])
  return reporting
}
