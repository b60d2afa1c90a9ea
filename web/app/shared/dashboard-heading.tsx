import * as m from '#messages'
/** The dashboard's own heading, which is drawn before the rest of it is loaded. */
export function DashboardHeading() {
  return (
    <div>
      <h1 className="text-3xl font-semibold">{m.training_dashboard()}</h1>
      <p className="mt-2 text-ink-soft">{m.dashboard_explained()}</p>
    </div>
  )
}

/** The place of the dashboard's content in the window, below the bar. */
export const DASHBOARD_FRAME = 'mx-auto w-full max-w-7xl px-4 py-10 sm:px-6 sm:py-14'
