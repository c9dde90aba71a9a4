-- Does with a misspelt name what a user does with keys: the error is there, the fix is applied, the error is gone.

local function fail(what)
  io.stderr:write("neovim: " .. what .. "\n")
  vim.cmd("cquit")
end

local function wait_for(what, ready)
  if not vim.wait(30000, ready, 20) then
    fail("no " .. what .. ": " .. vim.inspect(vim.diagnostic.get(0)))
  end
end

wait_for("error", function()
  return #vim.diagnostic.get(0) == 1
end)
local error = vim.diagnostic.get(0)[1]
if error.code ~= "E0401" or error.lnum ~= 2 then
  fail("another error: " .. vim.inspect(error))
end
vim.api.nvim_win_set_cursor(0, { error.lnum + 1, error.col })
vim.lsp.buf.code_action({
  apply = true,
  filter = function(action)
    return action.isPreferred
  end,
})
wait_for("end of the error", function()
  return #vim.diagnostic.get(0) == 0
end)
if not vim.api.nvim_get_current_line():find("get_global_id(0)", 1, true) then
  fail("another edit: " .. vim.api.nvim_get_current_line())
end
vim.cmd("quitall!")
