# Completions of freight. For fish 3.1 or newer.

function __freight_complete -d 'what can be typed at the cursor'
    command -q freight; or return
    set -l words (commandline -opc)[2..]
    set -l typed (commandline -ct)
    # A line for each word (the word, a tab, its meaning); the last says what they are.
    set -l answer (command freight __complete ":$typed" $words </dev/null 2>/dev/null)
    set -q answer[1]; or return
    set -l kind (string sub -s 2 -- $answer[-1])
    set -e answer[-1]
    printf '%s\n' $answer

    set -l before (string match -r -- '^--[^=]+=' $typed)
    set -l value (string sub -s (math (string length -- "$before") + 1) -- $typed)
    switch "$kind"
        case files '* files'
            for path in (__fish_complete_path "$value")
                echo "$before$path"
            end
        case folders
            for path in (__fish_complete_directories "$value" '')
                echo "$before$path"
            end
    end
end

complete -c freight -f -k -a '(__freight_complete)'
