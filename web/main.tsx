import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { GlobalErrorBoundary } from './app/global-error-boundary.tsx'
import { AppRouter } from './app/router.tsx'
import { reloadOnStaleBuild } from './app/stale-build.ts'
import './styles/app.css'

reloadOnStaleBuild(window)

const container = document.getElementById('root')
if (!container) throw new Error('index.html has no #root')
createRoot(container).render(
  <StrictMode>
    <GlobalErrorBoundary>
      <AppRouter />
    </GlobalErrorBoundary>
  </StrictMode>,
)
