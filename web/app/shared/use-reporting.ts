import { useEffect, useState } from 'react'
import type { Reporting } from '../report/reporting.tsx'

/**
 * Loads what learners report from the steps with, after the page.
 * @param load false where there are no reports
 */
export function useReporting(load: false | (() => Promise<Reporting>)): Reporting | null {
  const [reporting, setReporting] = useState<Reporting | null>(null)
  useEffect(() => {
    // A part that does not come leaves the steps without flags.
    if (load) load().then(setReporting, () => {})
    // oxlint-disable-next-line react/exhaustive-deps -- once, when the page opens
  }, [])
  useEffect(() => reporting?.open(), [reporting])
  return reporting
}
