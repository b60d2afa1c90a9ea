import { usePageTitle } from '#web/lib/use-page-title.ts'
import { LoadingScreen } from '#web/ui/loading.tsx'

/** The spinner alone, to look at. */
export function TestSpinnerPage() {
  usePageTitle('Spinner test')
  return <LoadingScreen />
}
