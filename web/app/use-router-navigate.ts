import { use } from 'react'
import { UNSAFE_DataRouterContext } from 'react-router-dom'

/**
 * Goes to an address, also when it is called from a drawing that React has thrown away. Clerk keeps the first function
 * that it is given, and what `useNavigate` gave to a drawing that was never shown goes nowhere.
 */
export function useRouterNavigate() {
  const context = use(UNSAFE_DataRouterContext)
  if (context === null) throw new Error('useRouterNavigate needs a data router')
  return context.router.navigate
}
