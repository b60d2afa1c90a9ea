import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { ErrorBoundary } from 'react-error-boundary'
import { KeptPage } from './app/kept/kept-page.tsx'
import { reloadOnStaleBuild } from './app/stale-build.ts'
import { PageBroken } from './ui/notice.tsx'
import './styles/share.css'

reloadOnStaleBuild(window)

const container = document.getElementById('root')
if (!container) throw new Error('kept.html has no #root')
createRoot(container).render(
  <StrictMode>
    <ErrorBoundary fallbackRender={() => <PageBroken />}>
      <KeptPage />
    </ErrorBoundary>
  </StrictMode>,
)
