import { useEffect, useState } from 'react'
import type { Reporting } from '../report/reporting.tsx'

/**
 * Loads what learners report from the steps with, after the page.
 * @param load false where there are no reports
 */
export function useReporting(load: false | (() => Promise<Reporting>)): Reporting | null {
  const [reporting, setReporting] = useState<Reporting | null>(null)
  const [loadOnce] = useState(() => load)
  useEffect(() => {
    // A part that does not come leaves the steps without flags.
    if (loadOnce) loadOnce().then(setReporting, () => {})
  }, [loadOnce])
  useEffect(() => reporting?.open(), [reporting])
  return reporting
}
