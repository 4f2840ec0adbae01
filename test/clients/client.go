// Calls every endpoint with the client that openapi-generator has generated, and prints each answer as the client has
// read it: one line of JSON per call.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"strings"

	client "github.com/GIT_USER_ID/GIT_REPO_ID"
)

// The query parameters that endpoints require, by method and setter.
var required = map[string]map[string]any{
	"GetRewardsByStake":      {"GgpStaked": "6000", "AvaxStaked": "1000"},
	"GetWithdrawalsEstimate": {"GgAvax": "10"},
}

func main() {
	url, address, nodeID, flag := os.Args[1], os.Args[2], os.Args[3], os.Args[4]
	for _, method := range []string{"GetAccounts", "GetAccountsCalendar", "GetAccountsIncome"} {
		required[method] = map[string]any{"Address": []string{address}}
	}
	configuration := client.NewConfiguration()
	configuration.Servers = client.ServerConfigurations{{URL: url}}
	services := reflect.ValueOf(*client.NewAPIClient(configuration))
	for field := 0; field < services.NumField(); field++ {
		if !strings.HasSuffix(services.Type().Field(field).Name, "API") {
			continue
		}
		service := services.Field(field)
		for index := 0; index < service.NumMethod(); index++ {
			name := service.Type().Method(index).Name
			if strings.HasSuffix(name, "Execute") {
				continue
			}
			inPath := address
			if strings.Contains(name, "NodeId") {
				inPath = nodeID
			} else if name == "GetFlagsKey" {
				inPath = flag
			}
			line, _ := json.Marshal(call(service.Method(index), name, inPath))
			fmt.Println(string(line))
		}
	}
}

func call(method reflect.Value, name string, inPath string) any {
	arguments := []reflect.Value{reflect.ValueOf(context.Background())}
	if method.Type().NumIn() > 1 {
		kind := method.Type().In(1)
		enums := map[string]string{"Dex": "tj", "Figure": "total_supply"}
		if value, isEnum := enums[kind.Name()]; isEnum {
			inPath = value
		}
		arguments = append(arguments, reflect.ValueOf(inPath).Convert(kind))
	}
	request := method.Call(arguments)[0]
	for setter, value := range required[name] {
		request = request.MethodByName(setter).Call([]reflect.Value{reflect.ValueOf(value)})[0]
	}
	answer := request.MethodByName("Execute").Call(nil)
	if err := answer[2].Interface(); err != nil {
		return fmt.Sprint(name, ": ", err)
	}
	return answer[0].Interface()
}
