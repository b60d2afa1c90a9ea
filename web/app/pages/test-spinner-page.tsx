import { usePageTitle } from '#web/lib/use-page-title.ts'
import { LoadingScreen } from '#web/ui/loading.tsx'

export function TestSpinnerPage() {
  usePageTitle('Spinner test')
  return <LoadingScreen />
}
